import { useQuery } from "@tanstack/react-query"
import { checkResetLink } from "~/api/sdk.gen"
import { isApiError } from "~/lib/error-messages"

/** Milliseconds until the form is shown without an answer. */
const timeLimit = 5_000

/**
 * The state of a reset link, asked of the server before a password is typed. Only the server's own
 * refusal makes a link expired: without an answer the link may be good, and the reset itself decides.
 */
export function useResetLink(token: string): "checking" | "usable" | "expired" {
  const check = useQuery({
    queryKey: ["reset-link", token], // in memory alone, and dropped with the page
    queryFn: async () => {
      const signal = AbortSignal.timeout(timeLimit)
      const { data } = await checkResetLink({ body: { token }, signal, throwOnError: true })
      return data
    },
    enabled: token !== "",
    gcTime: 0,
  })
  if (token === "" || isApiError(check.error, "invalid_reset_link")) return "expired"
  return check.isPending ? "checking" : "usable"
}
