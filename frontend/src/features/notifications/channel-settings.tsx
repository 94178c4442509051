import { useState } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { ProblemAlert } from "~/ui/problem-alert"
import { SwitchField } from "~/ui/switch-field"
import { showToast } from "~/ui/toasts"
import { formatPhone } from "./phone-number"
import { useFreshUser, useSaveSettings } from "./use-settings"

type Choice = { emailEnabled: boolean; smsEnabled: boolean }

/** Which ways lead to the reader. What is switched here counts once it is saved. */
export function ChannelSettings() {
  const { t } = useTranslation()
  const user = useFreshUser()
  const save = useSaveSettings()
  const [switched, setSwitched] = useState<Partial<Choice>>({})

  // Nothing goes to an address that was switched off, whatever was chosen for it before.
  const saved: Choice = {
    emailEnabled: user.emailNotificationsEnabled && !user.emailProblem,
    smsEnabled: user.smsNotificationsEnabled && user.phoneVerified,
  }
  const choice: Choice = { ...saved, ...switched }
  const unsaved =
    choice.emailEnabled !== saved.emailEnabled || choice.smsEnabled !== saved.smsEnabled

  const submit = () =>
    save.mutate(
      { body: choice },
      {
        onSuccess: () => {
          setSwitched({})
          showToast({ title: t("common.success"), description: t("notifications.settings.saved") })
        },
        onError: () =>
          showToast({
            tone: "error",
            title: t("common.error"),
            description: t("notifications.settings.failed"),
          }),
      },
    )

  return (
    <Card>
      <h2 className="border-b border-line px-5 py-4 text-lg">
        {t("notifications.settings.title")}
      </h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        aria-label={t("notifications.settings.title")}
        className="flex flex-col gap-5 p-5"
      >
        <SwitchField
          label={t("notifications.settings.email")}
          hint={user.email}
          checked={choice.emailEnabled}
          onChange={({ target }) => setSwitched({ ...switched, emailEnabled: target.checked })}
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
          checked={choice.smsEnabled && user.phoneVerified}
          onChange={({ target }) => setSwitched({ ...switched, smsEnabled: target.checked })}
        />
        {save.error && (
          <ProblemAlert title={t("notifications.settings.failed")} error={save.error} />
        )}
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
    </Card>
  )
}
