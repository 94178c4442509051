import { useTranslation } from "react-i18next"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"

type ProblemAlertProps = {
  title: string
  error: unknown
  /** The title already says to try again. */
  complete?: boolean
}

/** What could not be done, and the server's own words about it where they say more than that. */
export function ProblemAlert({ title, error, complete = false }: ProblemAlertProps) {
  const { t } = useTranslation()
  const reason = problemSentence(t, error, complete ? title : t("common.tryLater"))
  return <Alert title={title}>{reason !== title && <p>{reason}</p>}</Alert>
}
