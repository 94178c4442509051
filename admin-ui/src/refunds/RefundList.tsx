import { Instant } from "../common/Instant.tsx"
import { Money } from "../common/Money.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"

const newestFirst = { field: "createdAt", order: "DESC" } as const

export const RefundList = () => (
  <RecordList sort={newestFirst}>
    <RecordTable>
      <RecordTable.Col source="companyName" />
      <RecordTable.Col source="amountGrosze" align="right">
        <Money source="amountGrosze" />
      </RecordTable.Col>
      <RecordTable.Col source="state">
        <StatusBadge kind="refund" source="state" />
      </RecordTable.Col>
      <RecordTable.Col source="paymentId" />
      <RecordTable.Col source="createdAt" disableSort={false}>
        <Instant source="createdAt" />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)
