import { useTranslation } from "react-i18next"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"
import { Unbroken } from "~/ui/unbroken"
import { useFreshUser, useRecentUser } from "./use-notification-settings"

/** Why no mails are sent to the user's address, and what to do about it. */
export function EmailProblem() {
  const { t } = useTranslation()
  const { email, emailProblem } = useFreshUser()
  if (!emailProblem) return null
  return (
    <Alert tone="caution" live="status" title={t("notifications.emailProblem.title")}>
      <p className="wrap-anywhere">{t(`notifications.emailProblem.${emailProblem}`, { email })}</p>
      <p>
        <Unbroken>{t("notifications.emailProblem.remedy")}</Unbroken>
      </p>
    </Alert>
  )
}

/** A one-line version for other screens, with a link to the notifications screen. */
export function EmailProblemBanner() {
  const { t } = useTranslation()
  const { email, emailProblem } = useRecentUser()
  if (!emailProblem) return null
  return (
    <Alert
      tone="caution"
      live="status"
      title={t("notifications.emailProblem.title")}
      action={
        <ButtonLink to="/panel/notifications" variant="secondary" size="sm">
          {t("notifications.emailProblem.action")}
        </ButtonLink>
      }
    >
      <p className="wrap-anywhere">{email}</p>
    </Alert>
  )
}
