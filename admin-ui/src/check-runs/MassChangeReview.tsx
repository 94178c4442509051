import CheckOutlined from "@mui/icons-material/CheckOutlined"
import CloseOutlined from "@mui/icons-material/CloseOutlined"
import { Alert } from "@mui/material"
import { RecordContextProvider, useTranslate } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { Count } from "../common/Count.tsx"
import { Loaded } from "../common/Loaded.tsx"
import { LocalList } from "../common/LocalList.tsx"
import { Panel } from "../common/Panel.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { useRead } from "../common/useRead.ts"
import type { CheckRun, QuarantinedChanges } from "./CheckRun.ts"

const mostFirst = { field: "total", order: "DESC" } as const

/** Suspiciously many changes wait here until an operator approves or rejects them all. */
export function MassChangeReview({ run }: { run: CheckRun }) {
  const translate = useTranslate()
  const changes = useRead<QuarantinedChanges>(`check-runs/${run.id}/changes`)
  return (
    <Panel
      title={translate("console.check.review.title")}
      actions={
        <RecordContextProvider value={run}>
          <ActButton act="approve" icon={<CheckOutlined />} variant="contained" />
          <ActButton act="reject" icon={<CloseOutlined />} danger />
        </RecordContextProvider>
      }
    >
      <Alert severity="warning" sx={{ mb: 1 }}>
        {translate("console.check.review.text", { smart_count: run.quarantined })}
      </Alert>
      <Loaded query={changes}>
        {(rows) => (
          <LocalList resource="quarantinedChanges" rows={rows} sort={mostFirst}>
            <RecordTable>
              <RecordTable.Col source="companyName" sortable />
              <RecordTable.Col source="notFound" align="right">
                <Count source="notFound" />
              </RecordTable.Col>
              <RecordTable.Col source="attention" align="right">
                <Count source="attention" />
              </RecordTable.Col>
              <RecordTable.Col source="total" sortable align="right">
                <Count source="total" />
              </RecordTable.Col>
            </RecordTable>
          </LocalList>
        )}
      </Loaded>
    </Panel>
  )
}
