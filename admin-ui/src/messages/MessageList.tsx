import { Box, Stack } from "@mui/material"
import { SelectInput, useRecordContext } from "react-admin"
import { choices } from "../common/choices.ts"
import { Instant } from "../common/Instant.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { SearchBox } from "../common/SearchBox.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import type { Message } from "./Message.ts"
import { MessageActions } from "./MessageActions.tsx"

const filters = [
  <SearchBox key="q" source="q" alwaysOn />,
  <SelectInput
    key="state"
    source="state"
    alwaysOn
    choices={choices("message", ["open", "answered", "closed"])}
  />,
  <SelectInput
    key="probableSpam"
    source="probableSpam"
    alwaysOn
    choices={[
      { id: false, name: "values.message.noSpam" },
      { id: true, name: "values.message.probableSpam" },
    ]}
  />,
]
const newestFirst = { field: "createdAt", order: "DESC" } as const

/** The list of tickets or contact messages: the sender, the message, and its state. */
export const MessageList = () => (
  <RecordList filters={filters} sort={newestFirst}>
    <RecordTable>
      <RecordTable.Col source="sender">
        <Sender />
      </RecordTable.Col>
      <RecordTable.Col source="subject" />
      <RecordTable.Col source="state">
        <State />
      </RecordTable.Col>
      <RecordTable.Col source="createdAt" sortable>
        <Instant source="createdAt" />
      </RecordTable.Col>
      <RecordTable.Col label="console.actions" align="right">
        <MessageActions />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)

function State() {
  const message = useRecordContext<Message>()
  return (
    <Stack spacing={0.5} sx={{ alignItems: "flex-start" }}>
      <StatusBadge kind="message" source="state" />
      {message?.probableSpam && <StatusBadge kind="message" value="probableSpam" />}
    </Stack>
  )
}

function Sender() {
  const message = useRecordContext<Message>()
  return (
    <Box sx={{ minWidth: "11rem", overflowWrap: "anywhere" }}>
      <Box sx={{ fontWeight: 600 }}>{message?.companyName || message?.sender}</Box>
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{message?.email}</Box>
    </Box>
  )
}
