import { skipToken, useMutation, useQuery } from "@tanstack/react-query"
import type { TFunction } from "i18next"
import { useTranslation } from "react-i18next"
import { sendPhoneCodeMutation, verifyPhoneMutation } from "~/api/@tanstack/react-query.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { isApiError } from "~/lib/error-messages"
import { queryClient } from "~/lib/query-client"
import { type Countdown, startCountdown } from "./countdown"
import { updateCachedUser } from "./use-notification-settings"

/** A code that was sent: its number, and when the next one may be sent. */
export type SentCode = { phoneNumber: string; resendCountdown: Countdown }

const sentCodeKey = ["sentPhoneCode"] as const
const codeLifetime = 600_000

/**
 * In the query cache, not in the form: a user who opens another screen while waiting for the SMS
 * returns to the field for the code.
 */
export function useSentCode(): SentCode | null {
  const sent = useQuery<SentCode | null>({
    queryKey: sentCodeKey,
    queryFn: skipToken,
    gcTime: codeLifetime,
  })
  return sent.data ?? null
}

/** Sets the code to wait for; null to enter another number. */
export function setSentCode(sent: SentCode | null): void {
  queryClient.setQueryData(sentCodeKey, sent)
}

export function useSendCode() {
  const { t } = useTranslation()
  return useMutation({
    ...sendPhoneCodeMutation(),
    meta: {
      done: t("notifications.phone.sent"),
      failed: () => t("notifications.phone.sendFailed"),
    },
    onSuccess: ({ resendAfter }, { body: { phoneNumber = "" } }) => {
      const sent: SentCode = { phoneNumber, resendCountdown: startCountdown(resendAfter) }
      setSentCode(sent)
      // The server has stored the new number as unverified.
      void refetchQueries("user")
    },
  })
}

/**
 * A wrong code has a message of its own in English (docs/rules.md); in Polish both are the same.
 */
export function verificationErrorMessage(t: TFunction, error: unknown): string {
  if (isApiError(error, "invalid_phone_code")) return t("problems.invalid_phone_code")
  return t("notifications.phone.verifyFailed")
}

export function useVerifyPhone() {
  const { t } = useTranslation()
  return useMutation({
    ...verifyPhoneMutation(),
    meta: {
      done: t("notifications.phone.done"),
      failed: (error) => verificationErrorMessage(t, error),
    },
    onSuccess: ({ phoneNumber }) => {
      updateCachedUser({ phoneNumber, phoneVerified: true })
      setSentCode(null)
      void refetchQueries("user")
    },
  })
}
