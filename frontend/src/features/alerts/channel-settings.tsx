import { type FormEvent, useEffect } from "react"
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
  type ChannelChoice,
  setUnsavedChannels,
  useFreshUser,
  useUnsavedChannels,
} from "./use-notification-settings"

/**
 * The notification channels. The button saves both; until then a turned switch stays as it is, also
 * while the user looks at another screen.
 */
export function ChannelSettings() {
  const { t } = useTranslation()
  const user = useFreshUser()
  const save = useChangeOwnAlerts()
  const report = useSaveReport()
  const saved: ChannelChoice = {
    // A suppressed address receives nothing, whatever the stored setting says.
    emailEnabled: user.emailNotificationsEnabled && !user.emailProblem,
    // While a changed number waits for its code, the setting is kept although nothing is sent.
    smsEnabled: user.smsNotificationsEnabled,
  }
  const changes = useUnsavedChannels()
  const settings: ChannelChoice = { ...saved, ...changes }
  const unsaved =
    settings.emailEnabled !== saved.emailEnabled || settings.smsEnabled !== saved.smsEnabled
  const change = (choice: Partial<ChannelChoice>) => setUnsavedChannels({ ...changes, ...choice })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { emailEnabled, smsEnabled } = settings
    // Without the address's own switch, if it was not turned: saving it as on would confirm it.
    const body = user.emailProblem && !emailEnabled ? { smsEnabled } : { emailEnabled, smsEnabled }
    // By the promise, so that both happen as well when the user has left the screen.
    save.mutateAsync({ body }).then(
      () => {
        setUnsavedChannels({})
        report.saved(undefined)
      },
      (error) => {
        // The server would refuse it again: the switch returns to the stored value.
        if (isApiError(error, "last_alert_reader")) setUnsavedChannels({})
        report.failed(error)
      },
    )
  }

  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", ask)
    return () => window.removeEventListener("beforeunload", ask)
  }, [unsaved])

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
          onChange={({ target }) => change({ emailEnabled: target.checked })}
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
          onChange={({ target }) => change({ smsEnabled: target.checked })}
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
