import { clsx } from "clsx"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Button, buttonStyles } from "./button"
import {
  DialogClose,
  DialogDescription,
  DialogShell,
  DialogTitle,
  dialogStyles,
} from "./dialog-shell"

type ConfirmDialogProps = {
  onClose: () => void
  title: string
  description: string
  confirmLabel: string
  onConfirm: () => void
  loading: boolean
  /** The label of the button that closes the dialog, where "cancel" would be ambiguous. */
  cancelLabel?: string
  children?: ReactNode
}

/** Asks for confirmation of an action that cannot be undone, as long as it is rendered. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation()
  return (
    <DialogShell
      open
      onClose={props.onClose}
      isAlert
      raised
      isDescribed
      className={clsx(dialogStyles, "max-w-md gap-4 p-5")}
    >
      <DialogTitle className="text-lg wrap-anywhere">{props.title}</DialogTitle>
      <DialogDescription className="text-ink-soft">{props.description}</DialogDescription>
      {props.children}
      <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <DialogClose className={buttonStyles({ variant: "secondary" })}>
          {props.cancelLabel ?? t("common.cancel")}
        </DialogClose>
        <Button variant="danger" loading={props.loading} onClick={props.onConfirm}>
          {props.confirmLabel}
        </Button>
      </div>
    </DialogShell>
  )
}
