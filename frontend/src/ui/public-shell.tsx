import { clsx } from "clsx"
import { type ReactNode, use, useSyncExternalStore } from "react"
import { brand, contactEmail } from "~/lib/brand"
import type { Language } from "~/lib/language"
import { SignedInContext } from "~/lib/signed-in-context"
import { buttonStyles } from "./button"
import { LanguageSwitch } from "./language-switch"
import { Logo } from "./logo"
import { type MenuLink, PublicMenu, type ShellTexts } from "./public-menu"

/** The landing page in each language. */
export const landingPaths: Record<Language, string> = { pl: "/", en: "/en" }

const sections = ["features", "pricing", "testimonials", "faq", "contact"] as const

type PublicShellProps = {
  language: Language
  onLanguageChange: (language: Language) => void
  texts: ShellTexts
  /**
   * The page is the landing page: its own sections are linked, its language is switched by links,
   * and its content has the whole width.
   */
  isLanding?: boolean
  children: ReactNode
}

/** Header and footer of the public pages. Plain links: these pages run without the router. */
export function PublicShell({
  language,
  onLanguageChange,
  texts,
  isLanding = false,
  children,
}: PublicShellProps) {
  const isSignedIn = use(SignedInContext)
  const home = landingPaths[language]
  const anchors = sections.map((section) => ({
    href: `${isLanding ? "" : home}#${section}`,
    label: texts.anchors[section],
  }))
  const accountLinks: MenuLink[] = isSignedIn
    ? [{ href: "/panel", label: texts.panel }]
    : [
        { href: "/auth/login", label: texts.login },
        { href: "/auth/register", label: texts.register },
      ]

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className={clsx(
          buttonStyles({}),
          "absolute top-3 left-4 z-40 -translate-y-20 focus:translate-y-0",
        )}
      >
        {texts.skip}
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-ground">
        <div className="mx-auto flex min-h-14 max-w-6xl items-center gap-x-3 px-4 py-1.5 sm:gap-x-4 sm:px-8 lg:min-h-17">
          <a href={home} aria-label={`${brand}, ${texts.home}`} className="mr-auto rounded-md">
            <Logo />
          </a>
          <nav aria-label={texts.sections} className="mr-auto flex gap-x-1 max-lg:hidden">
            {anchors.map(({ href, label }) => (
              <a
                key={href}
                href={href}
                className="inline-flex min-h-9 items-center rounded-md px-2.5 font-semibold hover:bg-sunken"
              >
                {label}
              </a>
            ))}
          </nav>
          <LanguageSwitch
            language={language}
            onChange={onLanguageChange}
            label={texts.language}
            pages={isLanding ? landingPaths : undefined}
          />
          {accountLinks.map(({ href, label }, i) => (
            <a
              key={href}
              href={href}
              className={clsx(
                "whitespace-nowrap",
                i === accountLinks.length - 1
                  ? clsx(buttonStyles({ size: "sm" }), "max-sm:hidden")
                  : "max-lg:hidden inline-flex min-h-9 items-center rounded-md px-1 font-semibold text-brand hover:text-brand-strong",
              )}
            >
              {label}
            </a>
          ))}
          <PublicMenu texts={texts} links={anchors} accountLinks={accountLinks} />
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={clsx(
          "w-full flex-1 focus:outline-none",
          !isLanding && "mx-auto max-w-6xl px-4 py-10 sm:px-8 sm:py-16",
        )}
      >
        {children}
      </main>
      <PublicFooter texts={texts} anchors={anchors} />
    </div>
  )
}

function PublicFooter({ texts, anchors }: { texts: ShellTexts; anchors: MenuLink[] }) {
  const linkStyle =
    "inline-flex min-h-8 items-center hover:text-ink hover:underline underline-offset-3"
  return (
    <footer className="border-t border-line text-sm text-ink-soft">
      <div className="mx-auto flex max-w-6xl flex-col gap-8 px-4 py-10 sm:px-8">
        <div className="flex flex-wrap items-start justify-between gap-x-12 gap-y-6">
          <div className="text-ink">
            <Logo />
          </div>
          <ul className="flex flex-wrap gap-x-6 gap-y-1">
            {anchors.map(({ href, label }) => (
              <li key={href}>
                <a href={href} className={linkStyle}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-line pt-5">
          <p className="mr-auto max-sm:w-full">
            © <CurrentYear /> {brand}
          </p>
          <a href={`mailto:${contactEmail}`} className={clsx(linkStyle, "wrap-anywhere")}>
            {contactEmail}
          </a>
          <a href="/terms" className={linkStyle}>
            {texts.terms}
          </a>
          <a href="/privacy" className={linkStyle}>
            {texts.privacy}
          </a>
        </div>
      </div>
    </footer>
  )
}

/** Hydration keeps the year of the build; the key makes React replace it by today's. */
function CurrentYear() {
  const isHydrated = useHydrated()
  return (
    <span key={isHydrated ? "today" : "build"} suppressHydrationWarning>
      {new Date().getFullYear()}
    </span>
  )
}

const subscribe = () => () => {}

/** False while the prerendered HTML is being hydrated, then true. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
