import { useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useProductToday } from "~/hooks/use-product-now"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { SectionHead } from "~/ui/section-head"
import { AttentionRow } from "./attention-row"
import { focusNextOpen } from "./queue-keys"
import { queueAttention } from "./withheld-queue"

const initialRowCount = 8

/**
 * 'Wymaga uwagi': expired, unusual, not found, stale and over-limit drivers, then those with
 * something that expires soon. Never red.
 */
export function AttentionSection({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const today = useProductToday()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [showAll, setShowAll] = useState(false)
  const entries = queueAttention(drivers, today)
  if (entries.length === 0) return null

  return (
    <section aria-labelledby={headingId}>
      <Card>
        <SectionHead
          id={headingId}
          heading={heading}
          title={t("dashboard.attention.title")}
          lead={t("dashboard.attention.lead")}
        />
        <ul className="divide-y divide-line">
          {(showAll ? entries : entries.slice(0, initialRowCount)).map(({ driver, reasons }) => (
            <AttentionRow
              key={driver.id}
              driver={driver}
              reasons={reasons}
              today={today}
              onAcknowledged={() => focusNextOpen(heading.current)}
            />
          ))}
        </ul>
        {!showAll && entries.length > initialRowCount && (
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
