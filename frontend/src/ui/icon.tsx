import type { LucideIcon } from "lucide-react"
import { memo } from "react"

type IconProps = { shape: LucideIcon; className: string }

/** A decorative icon, drawn anew only when it changes: a list has hundreds. */
export const Icon = memo(function Icon({ shape: Shape, className }: IconProps) {
  return <Shape aria-hidden className={className} />
})
