import { useTranslation } from "react-i18next"
import { useProductNow } from "~/hooks/use-product-now"
import { asOfDate, formatCalendarDate, formatDateTime } from "~/lib/dates"

/** The dates of a printed list of drivers. */
export function PrintDate() {
  const now = useProductNow()
  return <PrintHeading asOf={formatCalendarDate(asOfDate(now))} printedAt={formatDateTime(now)} />
}

/** On paper only, so it is no text of the page: the day of the data, and when it was printed. */
function PrintHeading({ asOf, printedAt }: { asOf: string; printedAt: string }) {
  const { t } = useTranslation()
  return (
    <p
      data-print-heading
      data-text={t("common.print.asOf", { date: asOf, printed: printedAt })}
      className="hidden text-sm before:content-[attr(data-text)] print:block"
    />
  )
}
