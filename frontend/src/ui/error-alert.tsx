import { useTranslation } from "react-i18next"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "./alert"
import { Unbroken } from "./unbroken"

type ErrorAlertProps = {
  /** Of a call; nothing is shown without one. */
  error: unknown
  title?: string
  /** The text where the server has none; "try later" by default. */
  fallback?: string
  className?: string
}

/** The error of a call, with the server's message unless it repeats the title. */
export function ErrorAlert({ error, title, fallback, className }: ErrorAlertProps) {
  const { t } = useTranslation()
  if (!error) return null
  const reason = errorMessage(t, error, fallback ?? t("common.tryLater"))
  return (
    <Alert title={title} className={className}>
      {reason !== title && (
        <p>
          <Unbroken>{reason}</Unbroken>
        </p>
      )}
    </Alert>
  )
}
