import { Alert, Button } from "@mui/material"
import { useListContext, useTranslate } from "react-admin"
import { errorText } from "./errorText.ts"

type ErrorAlertProps = { error: unknown; onRetry: () => void }

/** A message on what was not loaded and why, with a button to try again. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  const translate = useTranslate()
  return (
    <Alert
      severity="error"
      role="alert"
      sx={{ m: 2 }}
      action={
        <Button color="inherit" size="small" onClick={onRetry}>
          {translate("console.retry")}
        </Button>
      }
    >
      {translate("console.loadFailed")} {errorText(error, translate)}
    </Alert>
  )
}

/** The same for the list around it. */
export function LoadError() {
  const { error, refetch } = useListContext()
  return <ErrorAlert error={error} onRetry={() => refetch()} />
}
