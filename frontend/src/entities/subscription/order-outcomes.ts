import type { MutationMeta } from "@tanstack/react-query"
import type { TFunction } from "i18next"

/** The toasts of orders, plan and billing details, with the titles of their own. */
export function orderOutcomes(t: TFunction, outcomes: MutationMeta): MutationMeta {
  return {
    ...outcomes,
    doneTitle: t("subscription.toast.success"),
    failedTitle: t("subscription.toast.error"),
  }
}
