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
  useRefresh,
} from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { saveFile } from "../common/saveFile.ts"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import type { Company } from "./Company.ts"

const dayRules = [required(), minValue(1), maxValue(366)]

/** The acts by their words; the two that a company feels stand last. */
export function CompanyActions({ onDone }: { onDone: () => void }) {
  const refresh = useRefresh()
  const company = useRecordContext<Company>()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  if (!company) return null
  const done = {
    onDone: () => {
      onDone()
      refresh()
    },
  }
  return (
    <>
      <ActButton
        act="extend"
        {...done}
        icon={<MoreTimeOutlined fontSize="small" />}
        defaultValues={{ days: 30 }}
      >
        <NumberInput source="days" min={1} max={366} step={1} validate={dayRules} />
      </ActButton>
      <ActButton
        act="export"
        {...done}
        icon={<DownloadOutlined fontSize="small" />}
        perform={async (body) =>
          saveFile(await dataProvider.download("companies", company.id, "export", body))
        }
      />
      {company.suspended ? (
        <ActButton act="resume" {...done} icon={<PlayCircleOutlined fontSize="small" />} />
      ) : (
        <ActButton act="suspend" {...done} icon={<PauseCircleOutlined fontSize="small" />} danger />
      )}
      <ActButton act="erase" {...done} icon={<DeleteForeverOutlined fontSize="small" />} danger />
    </>
  )
}
