import { clsx } from "clsx"
import { AlertDialog } from "radix-ui"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Button, buttonLook } from "~/ui/button"
import { Veil, windowLook } from "~/ui/dialog"
import { onEscape } from "~/ui/escape"
import { useWindowFocus } from "~/ui/use-window-focus"

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: string
  confirm: string
  onConfirm: () => void
  loading: boolean
  /** What the way back is called where "cancel" would be the very thing that is asked about. */
  keep?: string
  children?: ReactNode
}

/** Asks once more before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation()
  const focus = useWindowFocus()
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <Veil />
        <AlertDialog.Content
          data-modal
          aria-modal
          {...focus}
          onKeyDown={onEscape(() => props.onOpenChange(false))}
          className={clsx(windowLook, "max-w-md gap-4 p-5")}
        >
          <AlertDialog.Title className="text-lg wrap-anywhere">{props.title}</AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft">
            {props.description}
          </AlertDialog.Description>
          {props.children}
          <div className="flex flex-wrap justify-end gap-3">
            <AlertDialog.Cancel className={buttonLook({ variant: "secondary" })}>
              {props.keep ?? t("common.cancel")}
            </AlertDialog.Cancel>
            <Button variant="danger" loading={props.loading} onClick={props.onConfirm}>
              {props.confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
