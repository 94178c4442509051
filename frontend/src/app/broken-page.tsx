import { detectLanguage } from "~/shared/language"

// Said without the catalogues: whatever broke may have been on the way to them.
const texts = {
  pl: {
    title: "Nie udało się wczytać strony",
    text: "Coś poszło nie tak po naszej stronie. Spróbuj wczytać stronę ponownie.",
    retry: "Spróbuj ponownie",
  },
  en: {
    title: "Failed to load the page",
    text: "Something went wrong on our side. Please try to load the page again.",
    retry: "Try again",
  },
}

/** The last net: shown when a screen could not be drawn or its data never came. */
export function BrokenPage({ onRetry }: { onRetry: () => void }) {
  const { title, text, retry } = texts[detectLanguage()]
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
