import { ArrowDown, ArrowUp } from "lucide-react"
import { Fragment, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation } from "react-router"
import { useShortcutSwitch, useShortcuts } from "~/hooks/use-shortcuts"
import { Dialog } from "~/ui/dialog"
import { SwitchField } from "~/ui/switch-field"

type ShortcutHelpProps = {
  /** The keys of the screen. */
  names: readonly (keyof typeof keys)[]
  open: boolean
  onClose: () => void
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
  driverAct: ["o"],
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
  "driverAct",
  "help",
] as const

/**
 * The keys of a screen. Those of one character can be switched off, since speech input types them
 * by accident (WCAG 2.1.4).
 */
export function ShortcutHelp({ names, open, onClose }: ShortcutHelpProps) {
  const { t } = useTranslation()
  const [enabled, setEnabled] = useShortcutSwitch()
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
          onChange={(event) => setEnabled(event.target.checked)}
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
  useShortcuts({ "?": () => setIsOpen(true) })
  return (
    <ShortcutHelp
      names={pageKeys[path as keyof typeof pageKeys] ?? ["help"]}
      open={isOpen}
      onClose={() => setIsOpen(false)}
    />
  )
}
