import { FileSpreadsheet, FileText } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { TableFormat } from "~/api/types.gen"
import { type FileCall, useDownload } from "~/hooks/use-download"
import { MenuItem } from "~/ui/menu"

/**
 * What both menus of files share: `table` is the call for the list in a format, `confirm` the call
 * for the confirmation. `tables` are the menu's items for both formats.
 */
export function useDriverFiles(table: (format: TableFormat) => FileCall, confirm: FileCall) {
  const { t } = useTranslation()
  const failed = t("drivers.export.failed")
  const spreadsheet = useDownload(table("xlsx"), "prawko.xlsx", { failed })
  const text = useDownload(table("csv"), "prawko.csv", { failed })
  const confirmation = useDownload(confirm, "prawko.pdf", {
    failed: t("drivers.export.confirmationFailed"),
  })
  return {
    isPending: [spreadsheet, text, confirmation].some((download) => download.isPending),
    confirm: () => confirmation.mutate(),
    tables: (
      <>
        <MenuItem icon={FileSpreadsheet} onSelect={() => spreadsheet.mutate()}>
          {t("drivers.export.xlsx")}
        </MenuItem>
        <MenuItem icon={FileText} onSelect={() => text.mutate()}>
          {t("drivers.export.csv")}
        </MenuItem>
      </>
    ),
  }
}
