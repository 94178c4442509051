import Close from "@mui/icons-material/Close"
import { DialogTitle, IconButton } from "@mui/material"
import type { ReactNode } from "react"
import { useTranslate } from "react-admin"

type ClosableTitleProps = { id: string; onClose: () => void; children: ReactNode }

/** The title of a dialog, and the button that closes it. */
export function ClosableTitle({ id, onClose, children }: ClosableTitleProps) {
  const translate = useTranslate()
  return (
    <>
      <DialogTitle id={id} sx={{ pr: 7, overflowWrap: "anywhere" }}>
        {children}
      </DialogTitle>
      <IconButton
        aria-label={translate("ra.action.close")}
        onClick={onClose}
        sx={{ position: "absolute", top: 12, right: 12 }}
      >
        <Close />
      </IconButton>
    </>
  )
}
