import { useTranslation } from "react-i18next"
import { useAsOfSwitch } from "~/hooks/use-as-of-date"
import { useProductNow } from "~/hooks/use-product-now"
import { formatDateTime } from "~/lib/dates"
import { useDataDays } from "./freshness"
import { useDriverList } from "./use-driver-list"

/** On paper only, so it is no text of the page: the days of the data, and when it was printed. */
export function PrintDate() {
  const { t } = useTranslation()
  useAsOfSwitch() // on each screen that shows these days
  const { checked, asOf } = useDataDays(useDriverList().data ?? [])
  const printed = t("common.print.printed", { date: formatDateTime(useProductNow()) })
  return (
    <p
      data-print-heading
      data-text={[checked, asOf, printed].filter(Boolean).join(" · ")}
      className="hidden text-sm before:content-[attr(data-text)] print:block"
    />
  )
}
