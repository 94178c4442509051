import { Alert, Button } from "@mui/material"
import { useTranslate } from "react-admin"
import { isForbidden, type Refusal } from "../authProvider.ts"
import { errorText } from "./errorText.ts"

/** Why a form was refused; where the session has ended, the way to a new one beside the form. */
export function RefusalAlert({ error }: { error: unknown }) {
  const translate = useTranslate()
  const login = isForbidden((error ?? {}) as Refusal) && (
    <Button color="inherit" size="small" href="/auth/login" target="_blank">
      {translate("ra.auth.sign_in")}
    </Button>
  )
  return (
    <Alert severity="error" role="alert" action={login || undefined} sx={{ mt: 1 }}>
      {errorText(error, translate)}
    </Alert>
  )
}
