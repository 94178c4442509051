import { useTranslation } from "react-i18next"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button"
import { useFreshUser, useRecentUser } from "./use-settings"

/** The address that mails no longer go to: why, and what to do about it. */
export function EmailProblem() {
  const { t } = useTranslation()
  const { email, emailProblem } = useFreshUser()
  if (!emailProblem) return null
  return (
    <Alert tone="caution" live="status" title={t("notifications.emailProblem.title")}>
      <p className="wrap-anywhere">{t(`notifications.emailProblem.${emailProblem}`, { email })}</p>
      <p>{t("notifications.emailProblem.remedy")}</p>
    </Alert>
  )
}

/** The same in a line for other screens, with the way to the one that says what to do. */
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
