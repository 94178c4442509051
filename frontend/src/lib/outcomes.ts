/** The toasts that say how a call of the server has ended. A mutation describes them in its `meta`. */

import type { MutationMeta } from "@tanstack/react-query"
import { errorMessage, isApiError } from "./error-messages"
import { i18n } from "./i18n"
import { showToast, type ToastContent } from "./toasts"

type Success = string | Partial<ToastContent> | undefined

type Outcomes = {
  /** The text after a success, or the toast; no toast for undefined. */
  done?: string | ((data: never, variables: never) => Success)
  /** The text after an error for which the server has none, or the whole text for an error. */
  failed?: string | ((error: unknown) => string | undefined)
  /** Instead of "Sukces". */
  doneTitle?: string
  /** Instead of "Błąd". */
  failedTitle?: string
  /** What failed; the text after the error is the reason, on a second line. */
  failedCall?: string
}

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: Outcomes
  }
}

export function announceSuccess(
  { done, doneTitle }: MutationMeta,
  data: unknown,
  variables: unknown,
): void {
  const success = typeof done === "function" ? done(data as never, variables as never) : done
  if (success === undefined) return
  const content = typeof success === "string" ? { description: success } : success
  showToast({ title: doneTitle ?? i18n.t("common.success"), ...content })
}

export function announceError(
  { failed, failedTitle, failedCall }: MutationMeta,
  error: unknown,
): void {
  const said = typeof failed === "string" ? errorMessage(i18n.t, error, failed) : failed?.(error)
  if (said === undefined) return
  const reason = isApiError(error, "offline") ? i18n.t("problems.offline") : said
  const texts = failedCall ? { description: failedCall, detail: reason } : { description: reason }
  showToast({ tone: "error", title: failedTitle ?? i18n.t("common.error"), ...texts })
}
