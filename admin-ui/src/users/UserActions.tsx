import DeleteOutlined from "@mui/icons-material/DeleteOutlined"
import EditOutlined from "@mui/icons-material/EditOutlined"
import LoginOutlined from "@mui/icons-material/LoginOutlined"
import { IconButton, Tooltip } from "@mui/material"
import { useDataProvider, useRecordContext, useTranslate } from "react-admin"
import { Link } from "react-router"
import { ActButton } from "../common/ActButton.tsx"
import { RowActions } from "../common/RowActions.tsx"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import { HistoryButton } from "./HistoryButton.tsx"
import type { User } from "./User.ts"

// Long enough to read the toast.
const TOAST_MS = 1_200

export function UserActions() {
  const user = useRecordContext<User>()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  if (!user) return null
  return (
    <RowActions>
      <HistoryButton user={user} />
      <EditLink user={user} />
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

function EditLink({ user }: { user: User }) {
  const translate = useTranslate()
  const label = translate("ra.action.edit")
  return (
    <Tooltip title={label}>
      <IconButton
        size="small"
        component={Link}
        to={`/admin/users/${encodeURIComponent(user.id)}`}
        aria-label={`${label}: ${user.email}`}
      >
        <EditOutlined fontSize="small" />
      </IconButton>
    </Tooltip>
  )
}
