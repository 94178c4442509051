import { detectLanguage } from "~/lib/language"
import english from "~/locales/en/public.json"
import polish from "~/locales/pl/public.json"

/** The error boundary's page: a screen failed to render, or its data failed to load. */
export function ErrorPage({ onRetry }: { onRetry: () => void }) {
  const { title, text, retry } = (detectLanguage() === "en" ? english : polish).broken
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-start justify-center gap-4 p-6">
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
        {retry}
      </button>
    </main>
  )
}
