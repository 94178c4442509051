import DeleteForeverOutlined from "@mui/icons-material/DeleteForeverOutlined"
import DownloadOutlined from "@mui/icons-material/DownloadOutlined"
import MoreTimeOutlined from "@mui/icons-material/MoreTimeOutlined"
import PauseCircleOutlined from "@mui/icons-material/PauseCircleOutlined"
import PlayCircleOutlined from "@mui/icons-material/PlayCircleOutlined"
import {
  maxValue,
  minValue,
  NumberInput,
  required,
  useDataProvider,
  useRecordContext,
} from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { RowActions } from "../common/RowActions.tsx"
import { saveFile } from "../common/saveFile.ts"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import type { Company } from "./Company.ts"

const dayRules = [required(), minValue(1), maxValue(366)]

export function CompanyActions() {
  const company = useRecordContext<Company>()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  if (!company) return null
  return (
    <RowActions>
      {company.suspended ? (
        <ActButton act="resume" icon={<PlayCircleOutlined fontSize="small" />} iconOnly />
      ) : (
        <ActButton act="suspend" icon={<PauseCircleOutlined fontSize="small" />} iconOnly danger />
      )}
      <ActButton
        act="extend"
        icon={<MoreTimeOutlined fontSize="small" />}
        iconOnly
        defaultValues={{ days: 30 }}
      >
        <NumberInput source="days" min={1} max={366} step={1} validate={dayRules} />
      </ActButton>
      <ActButton
        act="export"
        icon={<DownloadOutlined fontSize="small" />}
        iconOnly
        perform={async (body) =>
          saveFile(await dataProvider.download("companies", company.id, "export", body))
        }
      />
      <ActButton act="erase" icon={<DeleteForeverOutlined fontSize="small" />} iconOnly danger />
    </RowActions>
  )
}
