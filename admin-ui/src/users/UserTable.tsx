import { Box } from "@mui/material"
import { useRecordContext, useTranslate } from "react-admin"
import { Count } from "../common/Count.tsx"
import { Instant } from "../common/Instant.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { BulkDeleteButton } from "./BulkDeleteButton.tsx"
import type { User } from "./User.ts"
import { UserActions } from "./UserActions.tsx"

export const UserTable = () => (
  <RecordTable bulkActionButtons={<BulkDeleteButton />}>
    <RecordTable.Col source="email" sortable>
      <EmailAndCompany />
    </RecordTable.Col>
    <RecordTable.Col source="createdAt" sortable>
      <Instant source="createdAt" as="date" />
    </RecordTable.Col>
    <RecordTable.Col source="status" sortable>
      <StatusBadge kind="subscription" />
    </RecordTable.Col>
    <RecordTable.Col source="driverLimit" sortable align="right">
      <Drivers />
    </RecordTable.Col>
    <RecordTable.Col label="console.actions" align="right">
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

/** Of persons only 2 to 4 have a form of their own in Polish: 22 take that of 5. */
function Drivers() {
  const user = useRecordContext<User>()
  const translate = useTranslate()
  const drivers = user?.driversCount ?? 0
  return (
    <>
      <Count source="driverLimit" />
      <Box sx={{ color: "text.secondary", typography: "caption", whiteSpace: "nowrap" }}>
        {translate("resources.users.driversUsed", { smart_count: Math.min(drivers, 5), drivers })}
      </Box>
    </>
  )
}
