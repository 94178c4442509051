import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"

/** How long it says that it worked, in milliseconds. */
const saidFor = 3000

/** Puts a text into the clipboard; `name` says whose text it is. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<"copied" | "failed">()

  useEffect(() => {
    if (!outcome) return
    const timer = window.setTimeout(() => setOutcome(undefined), saidFor)
    return () => window.clearTimeout(timer)
  }, [outcome])

  const copy = () => {
    // Only pages with a secure address have a clipboard.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"))
    written.then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    )
  }

  return (
    <span className="flex shrink-0 items-center gap-2">
      <span role="status" className="text-sm text-ink-soft empty:hidden">
        {outcome && t(`common.copy.${outcome}`)}
      </span>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("common.copy.action", { name })}
        title={t("common.copy.action", { name })}
        onClick={copy}
      >
        {outcome === "copied" ? (
          <Check aria-hidden className="size-5" />
        ) : (
          <Copy aria-hidden className="size-5" />
        )}
      </Button>
    </span>
  )
}
