import { Download, FileCheck, FileSpreadsheet, FileText } from "lucide-react"
import { useTranslation } from "react-i18next"
import { confirmDay, exportDriverList } from "~/api/sdk.gen"
import type { ExportDriverListData } from "~/api/types.gen"
import { asFile, useDownload } from "~/hooks/use-download"
import { buttonStyles } from "~/ui/button"
import { Menu, MenuItem } from "~/ui/menu"
import { Spinner } from "~/ui/spinner"

type ExportQuery = NonNullable<ExportDriverListData["query"]>
type Format = NonNullable<ExportQuery["format"]>

type ListDownloadProps = { query: string; status?: ExportQuery["status"] }

/** Downloads the list as it is filtered now, or the confirmation of today, which has all drivers. */
export function ListDownload({ query, status = "all" }: ListDownloadProps) {
  const { t } = useTranslation()
  const spreadsheet = useFileDownload("xlsx", query, status)
  const text = useFileDownload("csv", query, status)
  const confirmation = useDownload(() => confirmDay(asFile), "prawko.pdf", {
    failed: t("drivers.export.confirmationFailed"),
  })
  return (
    <Menu
      className={buttonStyles({ variant: "secondary", size: "sm" })}
      trigger={
        <>
          {[spreadsheet, text, confirmation].some(({ isPending }) => isPending) ? (
            <Spinner small />
          ) : (
            <Download aria-hidden className="size-4" />
          )}
          <span className="max-sm:sr-only">{t("drivers.export.menu")}</span>
        </>
      }
    >
      <MenuItem icon={FileSpreadsheet} onSelect={() => spreadsheet.mutate()}>
        {t("drivers.export.xlsx")}
      </MenuItem>
      <MenuItem icon={FileText} onSelect={() => text.mutate()}>
        {t("drivers.export.csv")}
      </MenuItem>
      <MenuItem icon={FileCheck} onSelect={() => confirmation.mutate()}>
        {t("drivers.export.confirmation")}
      </MenuItem>
    </Menu>
  )
}

function useFileDownload(format: Format, query: string, status: ExportQuery["status"]) {
  const { t } = useTranslation()
  return useDownload(
    () =>
      exportDriverList({
        query: { format, q: query.trim(), status },
        ...asFile,
      }),
    `prawko.${format}`,
    { failed: t("drivers.export.failed") },
  )
}
