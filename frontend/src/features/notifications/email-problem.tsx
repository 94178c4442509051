import { useTranslation } from "react-i18next"
import type { UserOut } from "~/api/types.gen"
import { Alert } from "~/ui/alert"

type EmailProblemProps = { problem: NonNullable<UserOut["emailProblem"]>; email: string }

/** The address that mails no longer go to: why, and what to do about it. */
export function EmailProblem({ problem, email }: EmailProblemProps) {
  const { t } = useTranslation()
  return (
    <Alert tone="caution" title={t("notifications.emailProblem.title")}>
      <p className="wrap-anywhere">{t(`notifications.emailProblem.${problem}`, { email })}</p>
      <p className="mt-1">{t("notifications.emailProblem.remedy")}</p>
    </Alert>
  )
}
