import { clsx } from "clsx"
import { Circle, CircleCheck, type LucideIcon, OctagonX, TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { Icon } from "./icon"

export type BadgeTone = "valid" | "withheld" | "caution" | "neutral"

// Shapes of road signs: the octagon is recognised without its colour.
const marks: Record<BadgeTone, [LucideIcon, string]> = {
  valid: [CircleCheck, "bg-valid-soft text-valid-ink"],
  withheld: [OctagonX, "bg-withheld text-on-withheld"],
  caution: [TriangleAlert, "bg-caution-soft text-caution-ink"],
  neutral: [Circle, "bg-sunken text-ink-soft"],
}

type BadgeProps = {
  tone: BadgeTone
  /** Instead of the tone's own; null for none. */
  icon?: LucideIcon | null | undefined
  large?: boolean
  lang?: string
  title?: string
  children: ReactNode
}

export function Badge({ tone, icon, large = false, children, ...span }: BadgeProps) {
  const [ownIcon, toneClass] = marks[tone]
  const shape = icon === undefined ? ownIcon : icon
  return (
    <span
      {...span}
      data-badge
      className={clsx(
        "inline-flex max-w-full items-center gap-1.5 rounded-sm font-semibold",
        large ? "px-3 py-1 text-lg" : "px-2 py-0.5 text-sm",
        toneClass,
      )}
    >
      {shape && <Icon shape={shape} className={clsx("shrink-0", large ? "size-5" : "size-4")} />}
      <span className="min-w-0 wrap-break-word">{children}</span>
    </span>
  )
}

/** The colour of a text, an icon or a figure of a tone. */
export const inks: Record<BadgeTone, string> = {
  valid: "text-valid-ink",
  withheld: "text-withheld-ink",
  caution: "text-caution-ink",
  neutral: "text-ink-soft",
}

const chipClasses = {
  valid: "border-valid text-valid-ink",
  caution: "border-caution bg-caution-soft text-caution-ink",
  withheld: "border-withheld text-withheld-ink",
  neutral: "border-line-strong text-ink-soft",
}

type ChipProps = { tone: BadgeTone; icon: LucideIcon; title?: string; children: ReactNode }

/** A secondary, less prominent label beside a badge. */
export function Chip({ tone, icon, title, children }: ChipProps) {
  return (
    <span
      title={title}
      data-badge
      className={clsx(
        "inline-flex items-center gap-1 rounded-sm border px-1.5 py-px text-xs leading-snug font-semibold",
        chipClasses[tone],
      )}
    >
      <Icon shape={icon} className="size-3.5 shrink-0" />
      <span className="min-w-0">{children}</span>
    </span>
  )
}
