import type { FormEvent } from "react"
import { useTranslation } from "react-i18next"
import { Alert } from "~/ui/alert"
import { Card } from "~/ui/card"
import { SectionHead } from "~/ui/section-head"
import { SwitchField } from "~/ui/switch-field"
import { formatPhone } from "./phone-number"
import { TestAlert } from "./test-alert"
import { SaveButton, useUnsavedChoices } from "./unsaved-choices"
import { savedChannels, useFreshUser, useSaveChannels } from "./use-notification-settings"

/**
 * The notification channels. The button saves what was turned; until then a turned switch stays as it is, also
 * while the user looks at another screen.
 */
export function ChannelSettings() {
  const { t } = useTranslation()
  const user = useFreshUser()
  const save = useSaveChannels()
  const saved = savedChannels(user)
  const { unsaved, choose, forget } = useUnsavedChoices("channels", saved)
  const settings = { ...saved, ...unsaved }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The turned switches alone: another tab may have changed the other one. By the promise, so that
    // they are forgotten as well when the user has left the screen.
    save.mutateAsync({ body: unsaved }).then(
      () => forget(unsaved),
      () => undefined, // shown by the form
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
          onChange={({ target }) => choose({ emailEnabled: target.checked })}
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
          onChange={({ target }) => choose({ smsEnabled: target.checked })}
        />
        {!settings.emailEnabled && !(settings.smsEnabled && user.phoneVerified) && (
          <Alert tone="caution">{t("notifications.settings.panelOnly")}</Alert>
        )}
        <SaveButton
          label={t("notifications.settings.save")}
          unsaved={unsaved}
          saving={save.isPending}
          error={save.error}
        />
      </form>
      <TestAlert />
    </Card>
  )
}
