import type { FormEvent } from "react"
import { useTranslation } from "react-i18next"
import { isApiError } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { ErrorAlert } from "~/ui/error-alert"
import { SectionHead } from "~/ui/section-head"
import { SwitchField } from "~/ui/switch-field"
import { formatPhone } from "./phone-number"
import { TestAlert } from "./test-alert"
import { useChangeOwnAlerts, useSaveReport } from "./use-alert-recipients"
import {
  savedChannels,
  useFreshUser,
  useTurnedChannels,
  withoutSaved,
} from "./use-notification-settings"

/**
 * The notification channels. The button saves what was turned; until then a turned switch stays as it is, also
 * while the user looks at another screen.
 */
export function ChannelSettings() {
  const { t } = useTranslation()
  const user = useFreshUser()
  const save = useChangeOwnAlerts()
  const report = useSaveReport()
  const saved = savedChannels(user)
  const { turned, turn, forget } = useTurnedChannels()
  // The turned switches alone: another tab may have changed the other one.
  const body = withoutSaved(turned, saved)
  const settings = { ...saved, ...body }
  const unsaved = Object.keys(body).length > 0

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // By the promise, so that both happen as well when the user has left the screen.
    save.mutateAsync({ body }).then(
      () => {
        forget(body)
        report.saved(undefined)
      },
      (error) => {
        // The server would refuse it again: the switch returns to the stored value.
        if (isApiError(error, "last_alert_reader")) forget(body)
        report.failed(error)
      },
    )
  }

  return (
    <Card>
      <SectionHead title={t("notifications.settings.title")} />
      <form
        onSubmit={submit}
        aria-label={t("notifications.settings.title")}
        className="flex flex-col gap-5 p-5"
      >
        <SwitchField
          label={t("notifications.settings.email")}
          hint={user.email}
          checked={settings.emailEnabled}
          onChange={({ target }) => turn({ emailEnabled: target.checked })}
        />
        <SwitchField
          label={t("notifications.settings.sms")}
          hint={
            user.phoneVerified && user.phoneNumber ? (
              <span className="figures whitespace-nowrap">{formatPhone(user.phoneNumber)}</span>
            ) : (
              t("notifications.settings.smsLocked")
            )
          }
          disabled={!user.phoneVerified}
          checked={settings.smsEnabled && user.phoneVerified}
          onChange={({ target }) => turn({ smsEnabled: target.checked })}
        />
        <ErrorAlert title={t("notifications.settings.failed")} error={save.error} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" disabled={!unsaved && !save.isPending} loading={save.isPending}>
            {t("notifications.settings.save")}
          </Button>
          <p role="status" className="text-sm text-ink-soft">
            {unsaved && !save.isPending && t("notifications.settings.unsaved")}
          </p>
        </div>
      </form>
      <TestAlert />
    </Card>
  )
}
