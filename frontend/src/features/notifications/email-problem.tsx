import { useTranslation } from "react-i18next"
import { Alert } from "~/ui/alert"
import { useFreshUser } from "./use-settings"

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
