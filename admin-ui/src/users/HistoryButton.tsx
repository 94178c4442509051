import HistoryOutlined from "@mui/icons-material/HistoryOutlined"
import { useState } from "react"
import { useTranslate } from "react-admin"
import { RowButton } from "../common/RowButton.tsx"
import { HistoryDialog } from "./HistoryDialog.tsx"
import type { User } from "./User.ts"

export function HistoryButton({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const translate = useTranslate()
  return (
    <>
      <RowButton
        label={translate("resources.users.history.label")}
        name={user.email}
        icon={<HistoryOutlined fontSize="small" />}
        onClick={() => setOpen(true)}
      />
      {isOpen && <HistoryDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}
