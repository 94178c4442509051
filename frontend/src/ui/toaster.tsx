import { clsx } from "clsx"
import { CircleCheck, Info, OctagonAlert, X } from "lucide-react"
import { Toast as Radix } from "radix-ui"
import { useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import { currentToasts, dismissToast, subscribeToToasts, type Toast, undoToast } from "~/lib/toasts"
import { Button, buttonStyles } from "./button"
import { openDialog, useToastFocus } from "./toast-focus"
import { Unbroken } from "./unbroken"

/** Milliseconds for which a toast is shown; hover and focus pause it. */
export const toastDuration = 5000
/** Milliseconds for which an action can be undone. */
const undoDuration = 8000

export function Toaster() {
  const { t } = useTranslation()
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts, currentToasts)
  const viewport = useToastFocus(toasts)

  return (
    <Radix.Provider
      duration={toastDuration}
      swipeDirection="right"
      swipeThreshold={50}
      label={t("common.toasts.one")}
    >
      {toasts.map((toast) => {
        const { id, title, description, detail, tone, state, action } = toast
        return (
          <Radix.Root
            key={id}
            {...(action && { duration: undoDuration })}
            data-toast
            inert={state === "dismissed"} // or Tab would reach what is fading out
            onEscapeKeyDown={yieldEscapeToDialog}
            open={state === "shown"}
            type={tone === "error" ? "foreground" : "background"}
            onOpenChange={(stays) => stays || dismissToast(id)}
            className={clsx(
              "flex items-center gap-3 rounded-lg border py-1 pr-1 pl-4 text-sm leading-snug shadow-raised",
              "data-[state=open]:animate-rise-in data-[state=closed]:animate-fade-out",
              "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
              tone === "error"
                ? "border-withheld bg-withheld text-on-withheld"
                : "border-line-strong bg-raised text-ink",
            )}
          >
            <ToneIcon tone={tone} />
            <div className="min-w-0 flex-1">
              {/* Before the text in its line: the higher a toast, the more it covers. */}
              <Radix.Title className="mr-2 inline font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="inline wrap-anywhere">
                  <Unbroken>{description}</Unbroken>
                </Radix.Description>
              )}
              {detail && <p className="font-semibold wrap-anywhere">{detail}</p>}
            </div>
            {action && (
              <Radix.Action asChild altText={action.label}>
                <Button variant="secondary" size="sm" onClick={() => undoToast(toast)}>
                  {action.label}
                </Button>
              </Radix.Action>
            )}
            <Radix.Close
              aria-label={t("common.close")}
              className={clsx(
                buttonStyles({ variant: "ghost", size: "icon" }),
                tone === "error" && "text-on-withheld!",
              )}
            >
              <X aria-hidden className="size-5" />
            </Radix.Close>
          </Radix.Root>
        )
      })}
      <Radix.Viewport
        ref={viewport}
        data-toasts
        aria-live="off" // or an open dialog would hide the region from screen readers
        hotkey={["F8"]}
        label={t("common.toasts.region")}
        className="fixed inset-x-0 top-0 z-[60] flex w-full flex-col gap-2 p-2 focus:outline-none sm:top-auto sm:right-0 sm:bottom-0 sm:left-auto md:max-w-[420px]"
      />
    </Radix.Provider>
  )
}

function ToneIcon({ tone }: { tone: Toast["tone"] }) {
  if (tone === "error") return <OctagonAlert aria-hidden className="size-5 shrink-0" />
  if (tone === "notice") return <Info aria-hidden className="size-5 shrink-0 text-brand" />
  return <CircleCheck aria-hidden className="size-5 shrink-0 text-valid" />
}

/**
 * Yields Escape to an open dialog, unless the focus is in the toast: Radix gives the key to whatever
 * opened last, so the first press would only dismiss the toast.
 */
function yieldEscapeToDialog(event: Event): void {
  const inToast = document.activeElement?.closest("[data-toast]")
  if (!inToast && openDialog()) event.preventDefault()
}
