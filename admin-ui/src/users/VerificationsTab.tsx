import { useRecordContext } from "react-admin"
import { Instant } from "../common/Instant.tsx"
import { LocalList } from "../common/LocalList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { RawResponse } from "./RawResponse.tsx"
import type { UserHistory } from "./User.ts"

type Verification = UserHistory["verifications"][number]

export const VerificationsTab = ({ history }: { history: UserHistory }) => (
  <LocalList resource="verifications" rows={history.verifications}>
    <RecordTable>
      <RecordTable.Col source="verifiedAt">
        <Instant source="verifiedAt" />
      </RecordTable.Col>
      <RecordTable.Col source="driverFirstName" />
      <RecordTable.Col source="driverLastName" />
      <RecordTable.Col source="status">
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
