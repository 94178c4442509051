import HistoryOutlined from "@mui/icons-material/HistoryOutlined"
import { IconButton, Tooltip } from "@mui/material"
import { useState } from "react"
import { useTranslate } from "react-admin"
import { HistoryDialog } from "./HistoryDialog.tsx"
import type { User } from "./User.ts"

export function HistoryButton({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const translate = useTranslate()
  const label = translate("resources.users.history.label")
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          size="small"
          aria-label={`${label}: ${user.email}`}
          onClick={() => setOpen(true)}
        >
          <HistoryOutlined fontSize="small" />
        </IconButton>
      </Tooltip>
      {isOpen && <HistoryDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}
