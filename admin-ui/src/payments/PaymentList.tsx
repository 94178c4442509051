import { SelectInput } from "react-admin"
import { Code } from "../common/Code.tsx"
import { choices } from "../common/choices.ts"
import { Instant } from "../common/Instant.tsx"
import { Money } from "../common/Money.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { SearchBox } from "../common/SearchBox.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { Word } from "../common/Word.tsx"

const states = ["starting", "open", "paid", "failed", "expired", "refunded", "mismatched"]
const filters = [
  <SearchBox key="q" source="q" alwaysOn label="resources.payments.search" />,
  <SelectInput key="state" source="state" alwaysOn choices={choices("payment", states)} />,
]
const newestFirst = { field: "createdAt", order: "DESC" } as const

export const PaymentList = () => (
  <RecordList filters={filters} sort={newestFirst} live>
    <RecordTable>
      <RecordTable.Col source="companyName" />
      <RecordTable.Col source="amountGrosze" sortable align="right">
        <Money source="amountGrosze" />
      </RecordTable.Col>
      <RecordTable.Col source="state">
        <StatusBadge kind="payment" source="state" />
      </RecordTable.Col>
      <RecordTable.Col source="method">
        <Word kind="method" source="method" />
      </RecordTable.Col>
      <RecordTable.Col source="provider">
        <Word kind="provider" source="provider" />
      </RecordTable.Col>
      <RecordTable.Col source="reference" field={Code} />
      <RecordTable.Col source="createdAt" sortable>
        <Instant source="createdAt" />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)
