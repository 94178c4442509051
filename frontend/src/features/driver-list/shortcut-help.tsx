import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation } from "react-router"
import { useShortcutSwitch, useShortcuts } from "~/hooks/use-shortcuts"
import { Dialog } from "~/ui/dialog"
import { type KeyAct, KeyList } from "~/ui/key-list"
import { SwitchField } from "~/ui/switch-field"

type ShortcutHelpProps = {
  /** The keys of the screen. */
  names: readonly KeyAct[]
  open: boolean
  onClose: () => void
}

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
      <KeyList names={names} />
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
