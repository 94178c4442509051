import { Ban } from "lucide-react"
import { useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { isOpen } from "~/entities/driver/acknowledgement-calls"
import { isWithheld } from "~/entities/driver/driver"
import { usePrinting } from "~/hooks/use-printing"
import { useProductToday } from "~/hooks/use-product-now"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { SectionHead } from "~/ui/section-head"
import { AttentionRow } from "./attention-row"
import { focusNextOpen } from "./queue-keys"
import { queueAttention } from "./withheld-queue"

const initialRowCount = 8

/**
 * 'Wymaga uwagi': first those who may not drive, all of them; then unusual, not found, stale and
 * over-limit drivers and those with something that expires soon. Never red.
 */
export function AttentionSection({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const today = useProductToday()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [showAll, setShowAll] = useState(false)
  const isPrinting = usePrinting()
  const entries = queueAttention(drivers, today)
  if (entries.length === 0) return null
  const firstOpen =
    drivers.find((one) => isWithheld(one) && isOpen(one)) ??
    entries.find(({ driver }) => isOpen(driver))?.driver
  const urgent = entries.filter(({ answer }) => answer === "no").length
  const shown =
    showAll || isPrinting ? entries : entries.slice(0, Math.max(urgent, initialRowCount))
  const groups = (["no", "check", "yes"] as const)
    .map((answer) => ({ answer, rows: shown.filter((one) => one.answer === answer) }))
    .filter(({ rows }) => rows.length > 0)

  return (
    <section aria-labelledby={headingId} className="@container -mr-(--beneath)">
      <Card className="mr-(--beneath)">
        <SectionHead id={headingId} heading={heading} title={t("dashboard.attention.title")} />
        {groups.map(({ answer, rows }) => (
          <div key={answer} className="border-line not-last:border-b">
            <h3 className="flex items-center gap-2 px-5 pt-2.5 text-base">
              {answer === "no" && <Ban aria-hidden className="size-5 shrink-0 text-withheld-ink" />}
              {answer === "no"
                ? t("dashboard.attention.no", { count: rows.length })
                : t(`drivers.filter.${answer}`)}
            </h3>
            <ul className="divide-y divide-line">
              {rows.map(({ driver, reasons }) => (
                <AttentionRow
                  key={driver.id}
                  driver={driver}
                  reasons={reasons}
                  today={today}
                  isFirstOpen={driver === firstOpen}
                  onAcknowledged={() => focusNextOpen(heading.current, driver.id)}
                />
              ))}
            </ul>
          </div>
        ))}
        {shown.length < entries.length && (
          <div className="border-t border-line p-3 text-center">
            <Button variant="ghost" size="sm" onClick={() => setShowAll(true)}>
              {t("dashboard.attention.showAll", { count: entries.length })}
            </Button>
          </div>
        )}
      </Card>
    </section>
  )
}
