import { MenuItem, TextField } from "@mui/material"
import { useState } from "react"
import { useTranslate } from "react-admin"
import { Details } from "../common/Details.tsx"
import { Instant } from "../common/Instant.tsx"
import { LocalList } from "../common/LocalList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { Word } from "../common/Word.tsx"
import type { UserHistory } from "./User.ts"

const ALL = ""
const newestFirst = { field: "createdAt", order: "DESC" } as const

export function ActivityTab({ history }: { history: UserHistory }) {
  const [type, setType] = useState(ALL)
  const translate = useTranslate()
  const types = [...new Set(history.activity.map(({ activityType }) => activityType))]
  const rows = history.activity.filter(({ activityType }) => type === ALL || activityType === type)

  return (
    <>
      <TextField
        select
        label={translate("resources.users.history.activityType")}
        value={type}
        onChange={(event) => setType(event.target.value)}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        fullWidth
        sx={{ maxWidth: 320 }}
      >
        <MenuItem value={ALL}>{translate("resources.users.history.allTypes")}</MenuItem>
        {types.map((one) => (
          <MenuItem key={one} value={one}>
            <Word kind="activity" value={one} />
          </MenuItem>
        ))}
      </TextField>
      <LocalList resource="activity" rows={rows} sort={newestFirst}>
        <RecordTable>
          <RecordTable.Col source="createdAt" sortable>
            <Instant source="createdAt" />
          </RecordTable.Col>
          <RecordTable.Col source="activityType" sortable>
            <Word kind="activity" source="activityType" />
          </RecordTable.Col>
          <RecordTable.Col source="details">
            <Details />
          </RecordTable.Col>
          <RecordTable.Col source="ipAddress" />
        </RecordTable>
      </LocalList>
    </>
  )
}
