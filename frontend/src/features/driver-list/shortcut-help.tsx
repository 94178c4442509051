import { ArrowDown, ArrowUp } from "lucide-react"
import { Fragment, useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation } from "react-router"
import { Dialog } from "~/ui/dialog"
import { SwitchField } from "~/ui/switch-field"

type ShortcutHelpProps = {
  /** The keys of the screen. */
  names: readonly (keyof typeof keys)[]
  open: boolean
  onClose: () => void
  /** Whether the keys of one character act. */
  enabled: boolean
  onEnabledChange: (enabled: boolean) => void
}

const keys = {
  search: ["/"],
  add: ["n"],
  rows: ["up", "down"],
  ends: ["Home", "End"],
  open: ["Enter"],
  choose: ["Space", "x"],
  driver: ["j", "k", "down", "up"],
  queue: ["j", "k"],
  act: ["o"],
  help: ["?"],
} as const

export const listKeys = [
  "search",
  "add",
  "rows",
  "ends",
  "open",
  "choose",
  "driver",
  "help",
] as const

/**
 * The keys of a screen. Those of one character can be switched off, since speech input types them
 * by accident (WCAG 2.1.4).
 */
export function ShortcutHelp(props: ShortcutHelpProps) {
  const { names, open, onClose, enabled, onEnabledChange } = props
  const { t } = useTranslation()
  return (
    <Dialog open={open} onClose={onClose} title={t("drivers.keys.title")}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5">
        {names.map((name) => (
          <Fragment key={name}>
            <dt className="flex gap-1.5">
              {keys[name].map((key) => (
                <kbd
                  key={key}
                  className="min-w-8 rounded-sm border border-line-strong bg-sunken px-2 py-0.5 text-center font-sans text-sm font-semibold"
                >
                  <KeyName name={key} />
                </kbd>
              ))}
            </dt>
            <dd>{t(`drivers.keys.${name}`)}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="mt-5 border-t border-line pt-5">
        <SwitchField
          label={t("drivers.keys.enabled")}
          hint={t("drivers.keys.enabledHint")}
          checked={enabled}
          onChange={(event) => onEnabledChange(event.target.checked)}
        />
      </div>
    </Dialog>
  )
}

/** The font has no arrows. */
function KeyName({ name }: { name: string }) {
  const { t } = useTranslation()
  if (name !== "up" && name !== "down") return <span>{name}</span>
  const Arrow = name === "up" ? ArrowUp : ArrowDown
  return (
    <>
      <Arrow aria-hidden className="inline size-4" />
      <span className="sr-only">{t(`drivers.keys.${name}`)}</span>
    </>
  )
}

const pageKeys = {
  "/panel": ["queue", "act", "help"],
  "/demo": ["queue", "act", "help"],
} as const

/** The help of the keys on the screens without a list of drivers, which has its own. */
export function PageShortcuts() {
  const { pathname } = useLocation()
  return /\/drivers(\/|$)/.test(pathname) ? null : <PageHelp path={pathname} />
}

function PageHelp({ path }: { path: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const [enabled, setEnabled] = useState(true)
  useListShortcuts({ "?": () => setIsOpen(true) }, enabled)
  return (
    <ShortcutHelp
      names={pageKeys[path as keyof typeof pageKeys] ?? ["help"]}
      open={isOpen}
      onClose={() => setIsOpen(false)}
      enabled={enabled}
      onEnabledChange={setEnabled}
    />
  )
}

type Shortcuts = Record<string, () => void>

/**
 * Calls the shortcut of a key that is pressed alone; not while the user types, and not behind a
 * modal dialog or in a menu.
 */
export function useListShortcuts(shortcuts: Shortcuts, enabled: boolean): void {
  const current = useRef(shortcuts)
  current.current = shortcuts

  useEffect(() => {
    if (!enabled) return
    const handleKey = (event: KeyboardEvent) => {
      const act = current.current[event.key]
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTypedInto(event.target) || document.querySelector(dialogs)) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", handleKey)
    return () => document.removeEventListener("keydown", handleKey)
  }, [enabled])
}

const dialogs = "[aria-modal], [role=menu]"
const typedInto = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])"

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(typedInto)
}
