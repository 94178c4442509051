import type { ReactNode } from "react"
import { Link } from "react-router"
import { brand } from "~/lib/brand"
import type { Language } from "~/lib/language"
import english from "~/locales/en/public.json"
import polish from "~/locales/pl/public.json"
import { LanguageSwitch } from "~/ui/language-switch"
import { Logo } from "~/ui/logo"

type PublicShellProps = {
  language: Language
  onLanguageChange: (language: Language) => void
  children: ReactNode
}

/** Header and footer of the public pages. */
export function PublicShell({ language, onLanguageChange, children }: PublicShellProps) {
  const text = language === "en" ? english : polish
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-30 border-b border-line bg-ground">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-5 gap-y-2 px-4 py-3 sm:px-8">
          <Link to="/" aria-label={`${brand}, ${text.home}`} className="mr-auto rounded-md">
            <Logo />
          </Link>
          <nav aria-label={text.sections} className="flex gap-x-5 max-sm:hidden">
            <a
              href="/#pricing"
              className="inline-flex min-h-9 items-center rounded-md px-1 font-semibold hover:text-brand-strong"
            >
              {text.pricing}
            </a>
          </nav>
          <LanguageSwitch language={language} onChange={onLanguageChange} label={text.language} />
          <Link
            to="/auth/login"
            className="inline-flex min-h-9 items-center rounded-md px-1 font-semibold text-brand hover:text-brand-strong"
          >
            {text.login}
          </Link>
          <Link
            to="/auth/register"
            className="inline-flex min-h-9 items-center rounded-md bg-brand px-3 font-semibold text-on-brand hover:bg-brand-strong max-sm:hidden"
          >
            {text.register}
          </Link>
        </div>
      </header>
      <main className="mx-auto w-full max-w-5xl flex-1 px-4 py-10 sm:px-8 sm:py-16">
        {children}
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-6 text-sm text-ink-soft sm:px-8">
          <p className="mr-auto max-sm:w-full" suppressHydrationWarning>
            © {new Date().getFullYear()} {brand}
          </p>
          <a
            href="/#pricing"
            className="inline-flex min-h-8 items-center underline underline-offset-3 sm:hidden"
          >
            {text.pricing}
          </a>
          <Link
            to="/terms"
            className="inline-flex min-h-8 items-center underline underline-offset-3"
          >
            {text.terms}
          </Link>
          <Link
            to="/privacy"
            className="inline-flex min-h-8 items-center underline underline-offset-3"
          >
            {text.privacy}
          </Link>
        </div>
      </footer>
    </div>
  )
}
