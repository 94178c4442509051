import { clsx } from "clsx"
import {
  Bell,
  CalendarClock,
  CircleCheck,
  type LucideIcon,
  OctagonX,
  SearchX,
  TriangleAlert,
} from "lucide-react"
import type { NotificationOut } from "~/api/types.gen"

type NoticeKind = NonNullable<NotificationOut["kind"]>

const marks: Partial<Record<NoticeKind, [LucideIcon, string]>> = {
  withheld: [OctagonX, "text-withheld-ink"],
  restored: [CircleCheck, "text-valid"],
  confirmed: [CircleCheck, "text-valid"],
  attention: [TriangleAlert, "text-caution-ink"],
  category_invalid: [TriangleAlert, "text-caution-ink"],
  not_found: [SearchX, "text-caution-ink"],
  expiring: [CalendarClock, "text-ink-soft"],
  expired: [CalendarClock, "text-caution-ink"],
}

/** An icon for the subject of a notice: withheld is the octagon, a number to check is not. */
export function NoticeIcon({ kind }: { kind: NotificationOut["kind"] }) {
  const [Icon, tone] = (kind && marks[kind]) ?? [Bell, "text-ink-soft"]
  return <Icon aria-hidden className={clsx("mt-0.5 size-5 shrink-0", tone)} />
}
