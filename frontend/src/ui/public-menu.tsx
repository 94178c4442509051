import { Menu, X } from "lucide-react"
import { type MouseEvent, useRef } from "react"
import type polish from "~/locales/pl/public.json"
import { buttonStyles } from "./button"

/** The texts around every public page. */
export type ShellTexts = typeof polish
export type MenuLink = { href: string; label: string }

type PublicMenuProps = { texts: ShellTexts; links: MenuLink[]; accountLinks: MenuLink[] }

/**
 * The slide-out menu of narrow windows. The browser's modal dialog keeps the focus inside, closes
 * by Escape and returns the focus to the button.
 */
export function PublicMenu({ texts, links, accountLinks }: PublicMenuProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) close() // its children cover all but the backdrop
  }
  const iconButton = buttonStyles({ variant: "ghost", size: "icon" })

  return (
    <div className="lg:hidden">
      <button
        type="button"
        aria-label={texts.openMenu}
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
        className={iconButton}
      >
        <Menu aria-hidden className="size-6" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog */}
      <dialog
        ref={dialog}
        aria-label={texts.menu}
        onClick={closeOutside}
        className="slide-out-menu"
      >
        <div className="flex min-h-full flex-col gap-6 px-5 pt-1.5 pb-6">
          <button
            type="button"
            aria-label={texts.closeMenu}
            onClick={close}
            className={`self-end ${iconButton}`}
          >
            <X aria-hidden className="size-6" />
          </button>
          <nav aria-label={texts.sections}>
            <ul>
              {links.map(({ href, label }) => (
                <li key={href} className="border-b border-line">
                  <a
                    href={href}
                    onClick={close}
                    className="flex min-h-13 items-center rounded-sm text-lg font-semibold hover:text-brand-strong"
                  >
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="mt-auto flex flex-col gap-3">
            {accountLinks.map(({ href, label }, i) => (
              <a
                key={href}
                href={href}
                onClick={close}
                className={buttonStyles({
                  variant: i === accountLinks.length - 1 ? "primary" : "secondary",
                })}
              >
                {label}
              </a>
            ))}
          </div>
        </div>
      </dialog>
    </div>
  )
}
