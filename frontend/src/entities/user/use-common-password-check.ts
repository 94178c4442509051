import { useEffect, useState } from "react"
import { checkPassword } from "~/api/sdk.gen"
import { meetsPasswordRules } from "./credentials"

/** Milliseconds without typing before the server is asked. */
const debounceDelay = 350

/**
 * Whether a password is on the server's list of common passwords (docs/rules.md R15). The server is
 * asked only about a password that meets all other rules; without a response there is no warning.
 */
export function useCommonPasswordCheck(password: string): boolean {
  const [commonPassword, setCommonPassword] = useState<string | null>(null)

  useEffect(() => {
    if (!meetsPasswordRules(password)) return
    const request = new AbortController()
    const checkIfCommon = async () => {
      const { data } = await checkPassword({ body: { password }, signal: request.signal })
      if (data?.faults.includes("common")) setCommonPassword(password)
    }
    const timer = window.setTimeout(() => void checkIfCommon(), debounceDelay)
    return () => {
      window.clearTimeout(timer)
      request.abort()
    }
  }, [password])

  return password !== "" && commonPassword === password
}
