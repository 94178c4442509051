import { clsx } from "clsx"
import { brand } from "~/lib/brand"

/**
 * The product's logo: a licence card with a check mark. A block, or the line height of its place
 * would move it.
 */
export function Logo({ onSidebar = false }: { onSidebar?: boolean }) {
  return (
    <span className="flex w-fit items-center gap-2.5 text-lg font-bold tracking-tight">
      <svg
        aria-hidden="true"
        viewBox="0 0 28 20"
        className={clsx("h-6 w-auto", onSidebar ? "text-sidebar-ink" : "text-brand")}
      >
        <rect width="28" height="20" rx="4" fill="currentColor" />
        <g
          className={onSidebar ? "stroke-sidebar" : "stroke-surface"}
          fill="none"
          strokeLinecap="round"
        >
          <path d="M5 6h6M5 10h4" strokeWidth="2" opacity="0.65" />
          <path d="m13.500 11 3.500 3.500 6.500-8" strokeWidth="3" strokeLinejoin="round" />
        </g>
      </svg>
      {brand}
    </span>
  )
}
