import { useTranslation } from "react-i18next"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"

/** What could not be done, and the server's own words about it where they say more than that. */
export function ProblemAlert({ title, error }: { title: string; error: unknown }) {
  const { t } = useTranslation()
  const reason = problemSentence(t, error, t("common.tryLater"))
  return <Alert title={title}>{reason !== title && <p>{reason}</p>}</Alert>
}
