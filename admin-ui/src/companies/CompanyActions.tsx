import BlockOutlined from "@mui/icons-material/BlockOutlined"
import DeleteForeverOutlined from "@mui/icons-material/DeleteForeverOutlined"
import MoreTimeOutlined from "@mui/icons-material/MoreTimeOutlined"
import PlayCircleOutlined from "@mui/icons-material/PlayCircleOutlined"
import { maxValue, minValue, NumberInput, required, useRecordContext } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { RowActions } from "../common/RowActions.tsx"
import type { Company } from "./Company.ts"

const dayRules = [required(), minValue(1), maxValue(366)]

export function CompanyActions() {
  const company = useRecordContext<Company>()
  if (!company) return null
  return (
    <RowActions>
      {company.suspended ? (
        <ActButton act="resume" icon={<PlayCircleOutlined fontSize="small" />} iconOnly />
      ) : (
        <ActButton act="suspend" icon={<BlockOutlined fontSize="small" />} iconOnly danger />
      )}
      <ActButton
        act="extend"
        icon={<MoreTimeOutlined fontSize="small" />}
        iconOnly
        defaultValues={{ days: 30 }}
      >
        <NumberInput source="days" min={1} max={366} step={1} validate={dayRules} />
      </ActButton>
      <ActButton act="erase" icon={<DeleteForeverOutlined fontSize="small" />} iconOnly danger />
    </RowActions>
  )
}
