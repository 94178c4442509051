import { clsx } from "clsx"
import { brand } from "~/shared/brand"

/** The mark: a licence card that has been checked. */
export function Logo({ onRail = false }: { onRail?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-lg font-bold tracking-tight">
      <svg
        aria-hidden="true"
        viewBox="0 0 28 20"
        className={clsx("h-6 w-auto", onRail ? "text-rail-ink" : "text-brand")}
      >
        <rect width="28" height="20" rx="4" fill="currentColor" />
        <g className={onRail ? "stroke-rail" : "stroke-surface"} fill="none" strokeLinecap="round">
          <path d="M5 6h6M5 10h4" strokeWidth="2" opacity="0.65" />
          <path d="m13.500 11 3.500 3.500 6.500-8" strokeWidth="3" strokeLinejoin="round" />
        </g>
      </svg>
      {brand}
    </span>
  )
}
