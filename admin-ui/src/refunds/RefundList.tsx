import { Instant } from "../common/Instant.tsx"
import { Money } from "../common/Money.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { ReferenceAndProvider } from "../payments/ReferenceAndProvider.tsx"

const newestFirst = { field: "createdAt", order: "DESC" } as const

export const RefundList = () => (
  <RecordList sort={newestFirst} live>
    <RecordTable>
      <RecordTable.Col source="companyName" />
      <RecordTable.Col source="amountGrosze" sortable align="right">
        <Money source="amountGrosze" />
      </RecordTable.Col>
      <RecordTable.Col source="state">
        <StatusBadge kind="refund" source="state" />
      </RecordTable.Col>
      <RecordTable.Col source="reference">
        <ReferenceAndProvider />
      </RecordTable.Col>
      <RecordTable.Col source="createdAt" sortable>
        <Instant source="createdAt" />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)
