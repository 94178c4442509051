import { Instant } from "../common/Instant.tsx"
import { LocalList } from "../common/LocalList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import type { UserHistory } from "./User.ts"

const newestFirst = { field: "changedAt", order: "DESC" } as const

export const SubscriptionsTab = ({ history }: { history: UserHistory }) => (
  <LocalList resource="subscriptionChanges" rows={history.subscriptions} sort={newestFirst}>
    <RecordTable>
      <RecordTable.Col source="changedAt" sortable>
        <Instant source="changedAt" />
      </RecordTable.Col>
      <RecordTable.Col source="oldStatus">
        <StatusBadge kind="subscription" source="oldStatus" />
      </RecordTable.Col>
      <RecordTable.Col source="newStatus">
        <StatusBadge kind="subscription" source="newStatus" />
      </RecordTable.Col>
      <RecordTable.Col source="oldEndDate">
        <Instant source="oldEndDate" as="date" />
      </RecordTable.Col>
      <RecordTable.Col source="newEndDate">
        <Instant source="newEndDate" as="date" />
      </RecordTable.Col>
      <RecordTable.Col source="note" />
    </RecordTable>
  </LocalList>
)
