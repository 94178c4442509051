import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  acknowledgeDriverMutation,
  withdrawAcknowledgementMutation,
} from "~/api/@tanstack/react-query.gen"
import { useIsImpersonated } from "~/hooks/use-user"
import { refetchQueries } from "~/lib/cached-queries"

/**
 * Whether the user may acknowledge. An operator who impersonates a user may not: the entry names
 * its author.
 */
export function useMayAcknowledge(): boolean {
  return !useIsImpersonated()
}

/** After an error, too: the driver's status may be another one by now. */
const refetchDrivers = () => refetchQueries("drivers", "notices")

/** Says that the driver of that name was taken off the road. */
export function useAcknowledge(name: string) {
  const { t } = useTranslation()
  return useMutation({
    ...acknowledgeDriverMutation(),
    meta: { done: t("dashboard.queue.saved", { name }) },
    onSettled: refetchDrivers,
  })
}

/** Undoes that, when it was a mistake. */
export function useWithdraw() {
  const { t } = useTranslation()
  return useMutation({
    ...withdrawAcknowledgementMutation(),
    meta: { done: t("dashboard.details.withdrawn") },
    onSettled: refetchDrivers,
  })
}
