import { useMutation } from "@tanstack/react-query"
import { BellRing } from "lucide-react"
import { useTranslation } from "react-i18next"
import { sendTestAlertMutation } from "~/api/@tanstack/react-query.gen"
import type { SendTestAlertResponse } from "~/api/types.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { Button } from "~/ui/button"
import { formatPhone } from "./phone-number"
import { useFreshUser } from "./use-notification-settings"

export const testAlertId = "test-alert"

/** Sends the user the messages of a withheld licence, about an invented driver. */
export function TestAlert() {
  const { t } = useTranslation()
  const { email, phoneNumber } = useFreshUser()
  const texts = {
    email: t("notifications.testAlert.email", { address: email }),
    sms: t("notifications.testAlert.sms", { number: formatPhone(phoneNumber ?? "") }),
    push: t("notifications.testAlert.push"),
  }
  const send = useMutation({
    ...sendTestAlertMutation(),
    meta: {
      done: ({ media }: SendTestAlertResponse) => ({
        description: t("notifications.testAlert.sent"),
        detail:
          media.map((medium) => texts[medium]).join(", ") || t("notifications.testAlert.panel"),
      }),
      failed: t("common.tryLater"),
      failedCall: t("notifications.testAlert.failed"),
    },
    onSuccess: () => void refetchQueries("notices"),
  })

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line p-5">
      <p className="min-w-0 flex-1 basis-56 text-sm text-ink-soft">
        {t("notifications.testAlert.hint")}
      </p>
      <Button
        id={testAlertId}
        variant="secondary"
        size="sm"
        loading={send.isPending}
        onClick={() => send.mutate({})}
        icon={BellRing}
      >
        {t("notifications.testAlert.button")}
      </Button>
    </div>
  )
}
