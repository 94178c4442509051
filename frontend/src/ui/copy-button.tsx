import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "./button"

/** Milliseconds for which the result is shown. */
const feedbackDuration = 3000

/** Copies a text to the clipboard; `name` identifies it in the button's label. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation()
  const [result, setResult] = useState<"copied" | "failed">()

  useEffect(() => {
    if (!result) return
    const timer = window.setTimeout(() => setResult(undefined), feedbackDuration)
    return () => window.clearTimeout(timer)
  }, [result])

  const copy = () => {
    // The clipboard API exists on secure origins only.
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"))
    writing.then(
      () => setResult("copied"),
      () => setResult("failed"),
    )
  }

  return (
    <span className="flex shrink-0 items-center gap-2">
      <span role="status" className="text-sm text-ink-soft empty:hidden">
        {result && t(`common.copy.${result}`)}
      </span>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("common.copy.action", { name })}
        title={t("common.copy.action", { name })}
        onClick={copy}
        icon={result === "copied" ? Check : Copy}
      />
    </span>
  )
}
