import { clsx } from "clsx"

export const dialogStyles = clsx(
  "fixed z-50 flex w-[calc(100%-1.5rem)] flex-col rounded-lg bg-surface text-ink shadow-raised",
  "top-[max(0.75rem,9dvh)] left-1/2 max-h-[min(86dvh,52rem)] -translate-x-1/2",
  "border border-line animate-rise-in focus:outline-none",
)

/**
 * The overlay behind a dialog; a raised one also covers another dialog. Radix's own injects a style
 * element, which our CSP forbids.
 */
export function Overlay({ raised = false }: { raised?: boolean }) {
  return (
    <div
      aria-hidden
      data-overlay
      className={clsx("fixed inset-0 animate-fade-in bg-overlay", raised ? "z-50" : "z-40")}
    />
  )
}
