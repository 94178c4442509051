import { clsx } from "clsx"
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"

const tones = {
  info: { icon: Info, look: "bg-brand-soft text-ink", mark: "text-brand" },
  valid: { icon: CircleCheck, look: "bg-valid-soft text-valid-ink", mark: "text-valid" },
  caution: {
    icon: TriangleAlert,
    look: "bg-caution-soft text-caution-ink",
    mark: "text-caution-ink",
  },
  error: {
    icon: OctagonAlert,
    look: "bg-withheld-soft text-withheld-ink",
    mark: "text-withheld-ink",
  },
}

type AlertProps = {
  tone?: keyof typeof tones
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** "status" waits its turn, "alert" speaks at once; without either it is only there to be read. */
  live?: "status" | "alert"
}

/** A sentence that stays on the page until what it says is over. */
export function Alert({ tone = "error", title, children, action, live }: AlertProps) {
  const { icon: Icon, look, mark } = tones[tone]
  const role = live ?? (tone === "error" ? "alert" : undefined)
  return (
    <div
      role={role}
      className={clsx("flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg px-4 py-3", look)}
    >
      <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
        <Icon aria-hidden className={clsx("mt-0.5 size-5 shrink-0", mark)} />
        <div className="min-w-0 text-sm leading-6">
          {title && <p className="font-semibold">{title}</p>}
          {children}
        </div>
      </div>
      {action}
    </div>
  )
}
