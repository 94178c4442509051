import { useMutation, useQueryClient } from "@tanstack/react-query"
import { BellRing } from "lucide-react"
import { useTranslation } from "react-i18next"
import { listNotificationsQueryKey, sendTestAlertMutation } from "~/api/@tanstack/react-query.gen"
import { errorMessage } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { showToast } from "~/ui/toasts"
import { formatPhone } from "./phone-number"
import { useFreshUser } from "./use-notification-settings"

/** Sends the user what a withheld licence would, about an invented driver. */
export function TestAlert() {
  const { t } = useTranslation()
  const { email, phoneNumber } = useFreshUser()
  const cache = useQueryClient()
  const send = useMutation({
    ...sendTestAlertMutation(),
    onSuccess: ({ media }) => {
      void cache.invalidateQueries({ queryKey: listNotificationsQueryKey() })
      const texts = {
        email: t("notifications.testAlert.email", { address: email }),
        sms: t("notifications.testAlert.sms", { number: formatPhone(phoneNumber ?? "") }),
        push: t("notifications.testAlert.push"),
      }
      const ways = media.map((medium) => texts[medium])
      showToast({
        title: t("notifications.testAlert.sent"),
        description: ways.join(", ") || t("notifications.testAlert.panel"),
      })
    },
    onError: (error) =>
      showToast({
        tone: "error",
        title: t("notifications.testAlert.failed"),
        description: errorMessage(t, error, t("common.tryLater")),
      }),
  })

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line p-5">
      <p className="min-w-0 flex-1 basis-56 text-sm text-ink-soft">
        {t("notifications.testAlert.hint")}
      </p>
      <Button
        variant="secondary"
        size="sm"
        loading={send.isPending}
        onClick={() => send.mutate({})}
      >
        {!send.isPending && <BellRing aria-hidden className="size-4" />}
        {t("notifications.testAlert.button")}
      </Button>
    </div>
  )
}
