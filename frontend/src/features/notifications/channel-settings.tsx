import { useEffect, useEffectEvent, useState } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { ErrorAlert } from "~/ui/error-alert"
import { SwitchField } from "~/ui/switch-field"
import { showToast } from "~/ui/toasts"
import { formatPhone } from "./phone-number"
import { TestAlert } from "./test-alert"
import { useFreshUser, useSaveSettings } from "./use-notification-settings"

type ChannelChoice = { emailEnabled: boolean; smsEnabled: boolean }

/** The notification channels. Changes take effect when they are saved, or the screen is left. */
export function ChannelSettings() {
  const { t } = useTranslation()
  const user = useFreshUser()
  const save = useSaveSettings()
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
  const submit = () =>
    save.mutateAsync({ body: settings }).then(
      () => {
        setChanges({})
        showToast({ title: t("common.success"), description: t("notifications.settings.saved") })
      },
      () =>
        showToast({
          tone: "error",
          title: t("common.error"),
          description: t("notifications.settings.failed"),
        }),
    )

  const leave = useEffectEvent(() => {
    if (unsaved && !save.isPending) void submit()
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
      <h2 className="border-b border-line px-5 py-4 text-lg">
        {t("notifications.settings.title")}
      </h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        aria-label={t("notifications.settings.title")}
        className="flex flex-col gap-5 p-5"
      >
        <SwitchField
          label={t("notifications.settings.email")}
          hint={user.email}
          checked={settings.emailEnabled}
          onChange={({ target }) => setChanges({ ...changes, emailEnabled: target.checked })}
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
          onChange={({ target }) => setChanges({ ...changes, smsEnabled: target.checked })}
        />
        {save.error && <ErrorAlert title={t("notifications.settings.failed")} error={save.error} />}
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
