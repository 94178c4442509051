import { clsx } from "clsx"
import { AlertDialog } from "radix-ui"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Button, buttonStyles } from "~/ui/button"
import { dialogStyles, Overlay } from "~/ui/dialog-surface"
import { handleEscape } from "~/ui/escape-key"
import { useDialogFocus } from "~/ui/use-dialog-focus"

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: string
  confirmLabel: string
  onConfirm: () => void
  loading: boolean
  /** The label of the button that closes the dialog, where "cancel" would be ambiguous. */
  cancelLabel?: string
  children?: ReactNode
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation()
  const focus = useDialogFocus()
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <Overlay raised />
        <AlertDialog.Content
          data-modal
          aria-modal
          {...focus}
          onKeyDown={handleEscape(() => props.onOpenChange(false))}
          className={clsx(dialogStyles, "max-w-md gap-4 p-5")}
        >
          <AlertDialog.Title className="text-lg wrap-anywhere">{props.title}</AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft">
            {props.description}
          </AlertDialog.Description>
          {props.children}
          <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <AlertDialog.Cancel className={buttonStyles({ variant: "secondary" })}>
              {props.cancelLabel ?? t("common.cancel")}
            </AlertDialog.Cancel>
            <Button variant="danger" loading={props.loading} onClick={props.onConfirm}>
              {props.confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
