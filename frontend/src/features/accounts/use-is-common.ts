import { useEffect, useState } from "react"
import { checkPassword } from "~/api/sdk.gen"
import { isAcceptable } from "./credentials"

/** How long the typing must pause before the server is asked, in milliseconds. */
const pause = 350

/**
 * Whether a password is one of the commonest (reading R15): the server has the list. It is asked
 * only about a password that meets all the other rules, and a browser without an answer is silent.
 */
export function useIsCommon(password: string): boolean {
  const [common, setCommon] = useState<string | null>(null)

  useEffect(() => {
    if (!isAcceptable(password)) return
    const asking = new AbortController()
    const ask = async () => {
      const { data } = await checkPassword({ body: { password }, signal: asking.signal })
      if (data?.faults.includes("common")) setCommon(password)
    }
    const timer = window.setTimeout(() => void ask(), pause)
    return () => {
      window.clearTimeout(timer)
      asking.abort()
    }
  }, [password])

  return password !== "" && common === password
}
