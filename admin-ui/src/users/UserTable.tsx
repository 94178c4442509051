import { Box } from "@mui/material"
import { useRecordContext, useTranslate } from "react-admin"
import { Instant } from "../common/Instant.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { BulkDeleteButton } from "./BulkDeleteButton.tsx"
import type { User } from "./User.ts"
import { UserActions } from "./UserActions.tsx"

export const UserTable = () => (
  <RecordTable bulkActionButtons={<BulkDeleteButton />}>
    <RecordTable.Col source="email" disableSort={false}>
      <EmailAndCompany />
    </RecordTable.Col>
    <RecordTable.Col source="createdAt" disableSort={false}>
      <Instant source="createdAt" as="date" />
    </RecordTable.Col>
    <RecordTable.Col source="status" disableSort={false}>
      <StatusBadge kind="subscription" />
    </RecordTable.Col>
    <RecordTable.Col source="driverLimit" disableSort={false} align="right">
      <Drivers />
    </RecordTable.Col>
    <RecordTable.Col label="console.actions">
      <UserActions />
    </RecordTable.Col>
  </RecordTable>
)

function EmailAndCompany() {
  const user = useRecordContext<User>()
  const translate = useTranslate()
  const notes = [
    user?.companyName,
    user?.isAdmin && translate("resources.users.isOperator"),
    user?.emailVerified === false && translate("resources.users.isUnverified"),
  ]
  return (
    <>
      <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{user?.email}</Box>
      <Box sx={{ color: "text.secondary", typography: "caption", overflowWrap: "anywhere" }}>
        {notes.filter(Boolean).join(" · ")}
      </Box>
    </>
  )
}

function Drivers() {
  const user = useRecordContext<User>()
  const translate = useTranslate()
  return (
    <>
      {user?.driverLimit}
      <Box sx={{ color: "text.secondary", typography: "caption", whiteSpace: "nowrap" }}>
        {translate("resources.users.driversUsed", { smart_count: user?.driversCount ?? 0 })}
      </Box>
    </>
  )
}
