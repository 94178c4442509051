import { clsx } from "clsx"
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { Unbroken } from "./unbroken"

const toneStyles = {
  info: { icon: Info, boxClass: "bg-brand-soft text-ink", iconClass: "text-brand" },
  valid: { icon: CircleCheck, boxClass: "bg-valid-soft text-valid-ink", iconClass: "text-valid" },
  caution: {
    icon: TriangleAlert,
    boxClass: "bg-caution-soft text-caution-ink",
    iconClass: "text-caution-ink",
  },
  error: {
    icon: OctagonAlert,
    boxClass: "bg-withheld-soft text-withheld-ink",
    iconClass: "text-withheld-ink",
  },
}

type AlertProps = {
  tone?: keyof typeof toneStyles
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /**
   * The live region: "status" is announced politely, "alert" at once. Errors default to "alert".
   */
  live?: "status" | "alert"
  /** Its place on the page. */
  className?: string
}

/** A message that stays on the page for as long as it applies. */
export function Alert({ tone = "error", title, children, action, live, className }: AlertProps) {
  const { icon: Icon, boxClass, iconClass } = toneStyles[tone]
  const role = live ?? (tone === "error" ? "alert" : undefined)
  return (
    <div
      role={role}
      className={clsx(
        "flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg px-4 py-3",
        boxClass,
        className,
      )}
    >
      <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
        <Icon aria-hidden className={clsx("mt-0.5 size-5 shrink-0", iconClass)} />
        <div className="min-w-0 text-sm leading-6">
          {title && (
            <p className="font-semibold">
              <Unbroken>{title}</Unbroken>
            </p>
          )}
          <Unbroken>{children}</Unbroken>
        </div>
      </div>
      {action}
    </div>
  )
}
