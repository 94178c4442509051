import { useTranslation } from "react-i18next"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Unbroken } from "~/ui/unbroken"

type ErrorAlertProps = {
  title: string
  error: unknown
  /** The title already tells the user to retry. */
  titleIsComplete?: boolean
}

/** An error alert with the server's message, unless it repeats the title. */
export function ErrorAlert({ title, error, titleIsComplete = false }: ErrorAlertProps) {
  const { t } = useTranslation()
  const reason = errorMessage(t, error, titleIsComplete ? title : t("common.tryLater"))
  return (
    <Alert title={title}>
      {reason !== title && (
        <p>
          <Unbroken>{reason}</Unbroken>
        </p>
      )}
    </Alert>
  )
}
