import { useProductNow } from "~/hooks/use-product-now"
import { asOfDate, formatCalendarDate, formatDateTime } from "~/lib/dates"
import { PrintHeading } from "~/ui/print-heading"

/** The dates of a printed list of drivers. */
export function PrintDate() {
  const now = useProductNow()
  return <PrintHeading asOf={formatCalendarDate(asOfDate(now))} printedAt={formatDateTime(now)} />
}
