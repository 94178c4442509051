import { useRecordContext } from "react-admin"
import { Instant } from "../common/Instant.tsx"
import { LocalList } from "../common/LocalList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { RawResponse } from "./RawResponse.tsx"
import type { UserHistory } from "./User.ts"

type Verification = UserHistory["verifications"][number]

const newestFirst = { field: "verifiedAt", order: "DESC" } as const

export const VerificationsTab = ({ history }: { history: UserHistory }) => (
  <LocalList resource="verifications" rows={history.verifications} sort={newestFirst}>
    <RecordTable>
      <RecordTable.Col source="verifiedAt" sortable>
        <Instant source="verifiedAt" />
      </RecordTable.Col>
      <RecordTable.Col source="driverFirstName" />
      <RecordTable.Col source="driverLastName" sortable />
      <RecordTable.Col source="mayDrive" sortable>
        <StatusBadge kind="mayDrive" source="mayDrive" />
      </RecordTable.Col>
      <RecordTable.Col source="status" sortable>
        <StatusBadge kind="verification" />
      </RecordTable.Col>
      <RecordTable.Col source="documentStatus" />
      <RecordTable.Col source="categories">
        <Categories />
      </RecordTable.Col>
      <RecordTable.Col source="verificationResponse">
        <RawResponse />
      </RecordTable.Col>
    </RecordTable>
  </LocalList>
)

function Categories() {
  const verification = useRecordContext<Verification>()
  return <>{verification?.categories?.join(", ") || "–"}</>
}
