import ReplayOutlined from "@mui/icons-material/ReplayOutlined"
import { Box } from "@mui/material"
import { SelectInput, useRecordContext } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { choices } from "../common/choices.ts"
import { Instant } from "../common/Instant.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { RowActions } from "../common/RowActions.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { Word } from "../common/Word.tsx"
import { DeliverySummary } from "./DeliverySummary.tsx"

const filters = [
  <SelectInput
    key="state"
    source="state"
    alwaysOn
    choices={choices("delivery", ["waiting", "sent", "delivered", "undelivered", "failed"])}
  />,
  <SelectInput
    key="medium"
    source="medium"
    alwaysOn
    choices={choices("medium", ["email", "sms", "push"])}
  />,
]
const newestFirst = { field: "createdAt", order: "DESC" } as const

/** The messages to customers: neither their addresses nor their texts. */
export const DeliveryList = () => (
  <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
    <DeliverySummary />
    <RecordList filters={filters} sort={newestFirst} live>
      <RecordTable>
        <RecordTable.Col source="companyName" sx={{ minWidth: 140 }} />
        <RecordTable.Col source="medium" sx={{ whiteSpace: "nowrap" }}>
          <MediumAndCarrier />
        </RecordTable.Col>
        <RecordTable.Col source="kind">
          <Word kind="deliveryKind" source="kind" />
        </RecordTable.Col>
        <RecordTable.Col source="state">
          <StateAndReason />
        </RecordTable.Col>
        <RecordTable.Col source="attempts" sortable align="right" />
        <RecordTable.Col source="createdAt" sortable>
          <Instant source="createdAt" />
        </RecordTable.Col>
        <RecordTable.Col source="nextAttemptAt" sortable>
          <Instant source="nextAttemptAt" />
        </RecordTable.Col>
        <RecordTable.Col label="console.actions" align="right">
          <Resend />
        </RecordTable.Col>
      </RecordTable>
    </RecordList>
  </Box>
)

/** The medium of the message and, once it is sent, its carrier. */
function MediumAndCarrier() {
  const record = useRecordContext()
  return (
    <>
      <Word kind="medium" source="medium" />
      {record?.carrier && (
        <Box sx={{ color: "text.secondary", typography: "caption" }}>
          <Word kind="provider" source="carrier" />
        </Box>
      )}
    </>
  )
}

/** The state and, below it, why the message was not delivered. */
function StateAndReason() {
  const record = useRecordContext()
  return (
    <>
      <StatusBadge kind="delivery" source="state" />
      {record?.reason && (
        <Box sx={{ color: "text.secondary", typography: "caption", overflowWrap: "anywhere" }}>
          <Word kind="deliveryReason" source="reason" />
        </Box>
      )}
    </>
  )
}

function Resend() {
  const record = useRecordContext()
  if (!record?.resendable) return null
  return (
    <RowActions>
      <ActButton act="resend" icon={<ReplayOutlined fontSize="small" />} iconOnly />
    </RowActions>
  )
}
