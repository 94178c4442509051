import { clsx } from "clsx"
import {
  CircleCheck,
  Clock,
  Hourglass,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
} from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { FactLine, useDataDays } from "~/entities/driver/freshness"
import { useProductNow } from "~/hooks/use-product-now"
import { type CheckProgress, checkProgress } from "./check-progress"

const marks: Record<CheckProgress["state"], [LucideIcon, string]> = {
  current: [CircleCheck, "text-valid"],
  running: [RefreshCw, "text-brand"],
  pending: [Hourglass, "text-ink-soft"],
  late: [TriangleAlert, "text-caution-ink"],
  stale: [Clock, "text-caution-ink"],
}

type CheckProgressLineProps = { drivers: readonly DriverSummaryOut[]; stale: boolean }

/** When how many drivers were checked, whether that is as it should be, and the register's day. */
export function CheckProgressLine({ drivers, stale }: CheckProgressLineProps) {
  const { t } = useTranslation()
  const { state, ...counts } = checkProgress(drivers, useProductNow(), stale)
  const { checked, asOf } = useDataDays(drivers, counts)
  const [Icon, tone] = marks[state]
  return (
    <FactLine
      facts={[
        checked ?? t("dashboard.progress.never"),
        state !== "current" && t(`dashboard.progress.${state}`),
        checked !== undefined && !stale && asOf,
      ]}
    >
      <Icon aria-hidden className={clsx("size-4.5 shrink-0", tone)} />
    </FactLine>
  )
}
