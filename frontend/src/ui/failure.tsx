import { RotateCw } from "lucide-react"
import { useTranslation } from "react-i18next"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"

type FailureProps = { title: string; error: unknown; onRetry: () => void; retrying?: boolean }

/** Where something should have been loaded: what went wrong, and one more try. */
export function Failure({ title, error, onRetry, retrying = false }: FailureProps) {
  const { t } = useTranslation()
  const reason = problemSentence(t, error, t("common.tryLater"))
  return (
    <Alert
      title={title}
      action={
        <Button variant="secondary" size="sm" loading={retrying} onClick={onRetry}>
          {!retrying && <RotateCw aria-hidden className="size-4" />}
          {t("common.retry")}
        </Button>
      }
    >
      {reason !== title && <p>{reason}</p>}
    </Alert>
  )
}
