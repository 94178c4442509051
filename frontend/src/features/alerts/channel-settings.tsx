import { useEffect, useEffectEvent, useState } from "react"
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
import { useFreshUser } from "./use-notification-settings"

type ChannelChoice = { emailEnabled: boolean; smsEnabled: boolean }

/**
 * The notification channels. Each switch is saved at once and can be undone. A switch that could
 * not be saved is shown as unsaved, and is saved by the button or when the user leaves the screen.
 */
export function ChannelSettings() {
  const { t } = useTranslation()
  const user = useFreshUser()
  const save = useChangeOwnAlerts()
  const report = useSaveReport()
  const [changes, setChanges] = useState<Partial<ChannelChoice>>({})

  const saved: ChannelChoice = {
    // A suppressed address receives nothing, whatever the stored setting says.
    emailEnabled: user.emailNotificationsEnabled && !user.emailProblem,
    // While a changed number waits for its code, the setting is kept although nothing is sent.
    smsEnabled: user.smsNotificationsEnabled,
  }
  const settings: ChannelChoice = { ...saved, ...changes }
  const unsaved =
    settings.emailEnabled !== saved.emailEnabled || settings.smsEnabled !== saved.smsEnabled

  // Goes on when the screen is left: its callbacks are not those of the mounted component.
  const submit = (choice: Partial<ChannelChoice>, undo?: Partial<ChannelChoice>) =>
    save.mutateAsync({ body: choice }).then(
      () => {
        setChanges((current) => withoutSaved(current, choice))
        report.saved(undo && (() => void submit(undo)))
      },
      (error) => {
        // The server would refuse it again: the switch returns to the stored value.
        if (isApiError(error, "last_alert_reader")) setChanges({})
        report.failed(error)
      },
    )

  const change = (choice: Partial<ChannelChoice>) => {
    setChanges({ ...changes, ...choice })
    const undo = Object.fromEntries(
      Object.keys(choice).map((key) => [key, saved[key as keyof ChannelChoice]]),
    )
    void submit(choice, undo)
  }

  const leave = useEffectEvent(() => {
    if (unsaved && !save.isPending) void submit(changes)
  })
  useEffect(() => () => leave(), [])

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
        onSubmit={(event) => {
          event.preventDefault()
          if (unsaved) void submit(changes)
          else report.saved(undefined)
        }}
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
          <Button
            type="submit"
            variant={unsaved ? "primary" : "secondary"}
            loading={save.isPending}
          >
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

/** The changes that are not those just saved: another switch may have been turned meanwhile. */
function withoutSaved(
  current: Partial<ChannelChoice>,
  saved: Partial<ChannelChoice>,
): Partial<ChannelChoice> {
  return Object.fromEntries(
    Object.entries(current).filter(([key, on]) => saved[key as keyof ChannelChoice] !== on),
  )
}
