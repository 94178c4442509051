import DeleteOutlined from "@mui/icons-material/DeleteOutlined"
import EditOutlined from "@mui/icons-material/EditOutlined"
import LoginOutlined from "@mui/icons-material/LoginOutlined"
import { useDataProvider, useRecordContext, useTranslate } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { RowActions } from "../common/RowActions.tsx"
import { RowButton } from "../common/RowButton.tsx"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import { HistoryButton } from "./HistoryButton.tsx"
import type { User } from "./User.ts"

// Long enough to read the toast.
const TOAST_MS = 1_200

export function UserActions() {
  const user = useRecordContext<User>()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const translate = useTranslate()
  if (!user) return null
  return (
    <RowActions>
      <HistoryButton user={user} />
      <RowButton
        label={translate("ra.action.edit")}
        name={user.email}
        icon={<EditOutlined fontSize="small" />}
        to={`/admin/users/${encodeURIComponent(user.id)}`}
      />
      <ActButton
        act="impersonate"
        icon={<LoginOutlined fontSize="small" />}
        iconOnly
        disabled={user.isAdmin}
        perform={(body) => dataProvider.impersonate(user.id, body)}
        onDone={() => setTimeout(() => window.location.assign("/panel"), TOAST_MS)}
      />
      <ActButton
        act="delete"
        icon={<DeleteOutlined fontSize="small" />}
        iconOnly
        danger
        perform={({ reason }, previousData) =>
          dataProvider.delete("users", { id: user.id, previousData, meta: { reason } })
        }
      />
    </RowActions>
  )
}
