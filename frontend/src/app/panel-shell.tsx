import { CircleHelp, Menu } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useTranslation } from "react-i18next"
import { useResumedDeletions } from "~/features/alerts/use-notifications"
import { usePushRenewal } from "~/features/alerts/use-push"
import { PageShortcuts } from "~/features/driver-list/shortcut-help"
import { HelpDialog } from "~/features/help/help-dialog"
import { useLiveUpdates } from "~/hooks/use-live-updates"
import { buttonStyles } from "~/ui/button"
import { Drawer } from "~/ui/drawer"
import { Logo } from "~/ui/logo"
import { OfflineNote } from "./offline-note"
import { BellLink, Sidebar } from "./sidebar"
import { useFirstResults } from "./use-first-results"
import { useOfflinePage } from "./use-offline-page"

type PanelShellProps = {
  children: ReactNode
  /** Over sample data: nothing is polled or stored. */
  isSample?: boolean
}

/** What the panel does beside its screens. */
function PanelTasks() {
  useLiveUpdates()
  useFirstResults()
  useOfflinePage()
  usePushRenewal()
  useResumedDeletions()
  return null
}

/** The sidebar beside the screen; on small screens a top bar opens it as a drawer. */
export function PanelShell({ children, isSample = false }: PanelShellProps) {
  const { t } = useTranslation()
  const [menuOpen, setMenuOpen] = useState(false)
  const [helpOpen, setHelpOpen] = useState(false)

  const openHelp = () => {
    setMenuOpen(false)
    setHelpOpen(true)
  }

  return (
    <div className="lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)] beside:grid-cols-[4rem_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-[70] focus:rounded-md focus:bg-surface focus:px-4 focus:py-2 focus:font-semibold"
      >
        {t("common.skip")}
      </a>

      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 bg-sidebar px-2 text-sidebar-ink lg:hidden">
        <button
          type="button"
          aria-label={t("common.menu.open")}
          aria-expanded={menuOpen}
          onClick={() => setMenuOpen(true)}
          className={buttonStyles({ variant: "sidebar", size: "icon" })}
        >
          <Menu aria-hidden className="size-6" />
        </button>
        <Logo onSidebar />
        {isSample ? <span className="ml-auto" /> : <BellLink />}
        <button
          type="button"
          aria-label={t("common.menu.help")}
          onClick={openHelp}
          className={buttonStyles({ variant: "sidebar", size: "icon" })}
        >
          <CircleHelp aria-hidden className="size-6" />
        </button>
      </header>

      <aside className="sticky top-0 hidden h-dvh flex-col overflow-y-auto bg-sidebar text-sidebar-ink lg:flex">
        <Sidebar onHelp={openHelp} isSample={isSample} />
      </aside>
      <Drawer open={menuOpen} onClose={() => setMenuOpen(false)} title={t("common.menu.label")}>
        <Sidebar onHelp={openHelp} onNavigate={() => setMenuOpen(false)} isSample={isSample} />
      </Drawer>

      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[90rem] px-4 pt-4 pb-20 focus:outline-none sm:px-8 lg:px-6 lg:pt-5 min-[87rem]:px-8"
      >
        <OfflineNote />
        {children}
      </main>
      {!isSample && <PanelTasks />}
      <PageShortcuts />
      <HelpDialog open={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}
