import { OctagonX } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { useProductToday } from "~/hooks/use-product-today"
import { queueWithheld } from "./withheld-queue"
import { withheldSectionId } from "./withheld-section"

/** How many names the line has; the section below has all. */
const maxNames = 3

/** The newly withheld drivers, above the counts, with a link to the red section below them. */
export function NewWithheldLine({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const { fresh } = queueWithheld(drivers, useProductToday())
  if (fresh.length === 0) return null
  const names = fresh.slice(0, maxNames).map(fullName).join(", ")
  const more = fresh.length - maxNames
  return (
    <a
      href={`#${withheldSectionId}`}
      data-no-print
      className="flex items-start gap-2.5 rounded-lg bg-withheld-soft px-4 py-3 text-withheld-ink hover:underline"
    >
      <OctagonX aria-hidden className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <strong>{t("dashboard.queue.new", { count: fresh.length })}</strong>{" "}
        {more > 0 ? t("dashboard.queue.andMore", { names, more }) : names}
      </span>
    </a>
  )
}
