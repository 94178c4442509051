import { useEffect } from "react"
import { useOnline } from "~/hooks/use-online"
import { detectLanguage } from "~/lib/language"
import english from "~/locales/en/public.json"
import polish from "~/locales/pl/public.json"
import { Logo } from "~/ui/logo"

/**
 * The error boundary's page: a screen failed to render, or its data failed to load. Without a
 * network it says so, and retries when the network is back.
 */
export function ErrorPage({ onRetry }: { onRetry: () => void }) {
  const { broken, offline } = detectLanguage() === "en" ? english : polish
  const online = useOnline()
  const { title, text } = online ? broken : offline
  useEffect(() => {
    window.addEventListener("online", onRetry)
    return () => window.removeEventListener("online", onRetry)
  }, [onRetry])
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-start justify-center gap-4 p-6">
      <Logo />
      <title>{title}</title>
      <h1 className="text-2xl">{title}</h1>
      <p role="alert" className="text-ink-soft">
        {text}
      </p>
      <button
        type="button"
        onClick={onRetry}
        className="min-h-11 rounded-md bg-brand px-4 font-semibold text-on-brand hover:bg-brand-strong"
      >
        {broken.retry}
      </button>
    </main>
  )
}
