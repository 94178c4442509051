import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { sendPhoneCodeMutation, verifyPhoneMutation } from "~/api/@tanstack/react-query.gen"
import { sessionQuery } from "~/shared/session"
import { changeUser } from "./use-settings"
import { type Wait, waitFrom } from "./waiting"

/** A code on its way: to which number, and when another may be sent. */
export type SentCode = { phoneNumber: string; resend: Wait }

const sentCodeKey = ["sentPhoneCode"] as const
const codeLivesFor = 600_000

/**
 * Kept with the session's data, not in the form: who looks at another screen while the SMS is on
 * its way comes back to the field for its code.
 */
export function useSentCode(): SentCode | null {
  const sent = useQuery<SentCode | null>({
    queryKey: sentCodeKey,
    queryFn: skipToken,
    gcTime: codeLivesFor,
  })
  return sent.data ?? null
}

/** Ask for this code, or for none any more. */
export function useExpectCode(): (sent: SentCode | null) => void {
  const cache = useQueryClient()
  return (sent) => cache.setQueryData(sentCodeKey, sent)
}

export function useSendCode() {
  const cache = useQueryClient()
  return useMutation({
    ...sendPhoneCodeMutation(),
    onSuccess: ({ resendAfter }, { body: { phoneNumber = "" } }) => {
      const sent: SentCode = { phoneNumber, resend: waitFrom(resendAfter) }
      cache.setQueryData(sentCodeKey, sent)
      // Another number than before is the account's from now on, and not verified.
      void cache.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}

export function useVerifyPhone() {
  const cache = useQueryClient()
  return useMutation({
    ...verifyPhoneMutation(),
    onSuccess: ({ phoneNumber }) => {
      changeUser(cache, { phoneNumber, phoneVerified: true })
      cache.setQueryData(sentCodeKey, null)
      void cache.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}
