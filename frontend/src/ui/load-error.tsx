import { RotateCw } from "lucide-react"
import { useTranslation } from "react-i18next"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"

type LoadErrorProps = { title: string; error: unknown; onRetry: () => void; retrying?: boolean }

/** Replaces data that failed to load: the error and a button that retries. */
export function LoadError({ title, error, onRetry, retrying = false }: LoadErrorProps) {
  const { t } = useTranslation()
  const reason = errorMessage(t, error, t("common.tryLater"))
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
