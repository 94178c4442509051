import { Download, FileCheck } from "lucide-react"
import { useTranslation } from "react-i18next"
import { confirmDay, exportDriverList } from "~/api/sdk.gen"
import type { ExportDriverListData } from "~/api/types.gen"
import { asFile } from "~/hooks/use-download"
import { buttonStyles } from "~/ui/button"
import { Menu, MenuItem } from "~/ui/menu"
import { Spinner } from "~/ui/spinner"
import { useDriverFiles } from "./use-driver-files"

type ExportQuery = NonNullable<ExportDriverListData["query"]>

type ListDownloadProps = { query: string; status?: ExportQuery["status"] }

/** Downloads the list as it is filtered now, or the confirmation of today, which has all drivers. */
export function ListDownload({ query, status = "all" }: ListDownloadProps) {
  const { t } = useTranslation()
  const files = useDriverFiles(
    (format) => () => exportDriverList({ query: { format, q: query.trim(), status }, ...asFile }),
    () => confirmDay(asFile),
  )
  return (
    <Menu
      className={`px-2! ${buttonStyles({ variant: "ghost", size: "sm" })}`}
      title={t("drivers.export.menu")}
      trigger={
        <>
          {files.isPending ? <Spinner small /> : <Download aria-hidden className="size-4" />}
          <span className="sr-only">{t("drivers.export.menu")}</span>
        </>
      }
    >
      {files.tables}
      <MenuItem icon={FileCheck} onSelect={files.confirm}>
        {t("drivers.export.confirmation")}
      </MenuItem>
    </Menu>
  )
}
