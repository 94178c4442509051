import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Typography,
} from "@mui/material"
import { type ReactNode, useEffect, useId, useRef, useState } from "react"
import { Form, maxLength, required, TextInput, useTranslate } from "react-admin"
import { keepPage } from "../authProvider.ts"
import { useHeldLayout } from "./heldLayout.ts"
import { RefusalAlert } from "./RefusalAlert.tsx"

export type ActValues = Record<string, unknown>

type ActDialogProps = {
  title: string
  text?: ReactNode
  confirm: string
  danger?: boolean
  /** Inputs above the reason. */
  children?: ReactNode
  defaultValues?: ActValues
  withReason?: boolean
  /** Closes the dialog unless it fails; the failure is shown in the dialog. */
  onConfirm: (values: ActValues) => Promise<unknown>
  onClose: () => void
}

const MAX_REASON = 500
// Else react-admin would add the fields of the record around the dialog to its values.
const noRecord = {}
const reasonRules = [required(), maxLength(MAX_REASON)]

/** Asks for the reason of an act, and for what else it needs. */
export function ActDialog({ title, text, confirm, danger, children, ...props }: ActDialogProps) {
  const { defaultValues, withReason = true, onConfirm, onClose } = props
  const translate = useTranslate()
  const formId = useId()
  const titleId = useId()
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const isSent = useRef(false) // a second click may come before the button is disabled
  useEffect(keepPage, [])
  useHeldLayout()

  const submit = async (values: ActValues) => {
    if (isSent.current) return
    isSent.current = true
    setBusy(true)
    setFailure(null)
    try {
      await onConfirm(values)
      onClose()
    } catch (error) {
      isSent.current = false
      setFailure(error)
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={isBusy ? undefined : onClose}
      fullWidth
      maxWidth="sm"
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId} sx={{ overflowWrap: "anywhere" }}>
        {title}
      </DialogTitle>
      <DialogContent>
        {text && (
          <Typography variant="body2" sx={{ mb: 1.5, overflowWrap: "anywhere" }}>
            {text}
          </Typography>
        )}
        <Form
          id={formId}
          onSubmit={submit}
          record={noRecord}
          defaultValues={defaultValues}
          noValidate
        >
          {children}
          {withReason && (
            <TextInput
              source="reason"
              label="console.reason"
              helperText="console.reasonHelp"
              fullWidth
              multiline
              minRows={2}
              validate={reasonRules}
            />
          )}
        </Form>
        {failure !== null && <RefusalAlert error={failure} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose} disabled={isBusy}>
          {translate("ra.action.cancel")}
        </Button>
        <Button
          type="submit"
          form={formId}
          variant="contained"
          color={danger ? "error" : "primary"}
          loading={isBusy}
        >
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
