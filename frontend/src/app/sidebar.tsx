import { clsx } from "clsx"
import {
  Bell,
  CircleHelp,
  CircleUser,
  CreditCard,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  Users,
} from "lucide-react"
import { useTranslation } from "react-i18next"
import { NavLink, useLocation } from "react-router"
import { AccountLanguageSwitch } from "~/features/accounts/account-language-switch"
import { useLogout } from "~/features/accounts/use-logout"
import { useUnreadCount } from "~/features/notifications/use-notifications"
import { useUser } from "~/shared/session"
import { Logo } from "~/ui/logo"
import { Spinner } from "~/ui/spinner"

type SidebarProps = { onHelp: () => void; onLeave?: () => void }

export function Sidebar({ onHelp, onLeave }: SidebarProps) {
  const { t } = useTranslation()
  const { email } = useUser()
  const logout = useLogout()
  const unread = useUnreadCount()
  const atHome = useLocation().pathname === "/"

  return (
    <div className="flex min-h-full flex-1 flex-col gap-6 px-3 py-5">
      <div className="px-3">
        <Logo onRail />
      </div>

      <nav aria-label={t("common.menu.label")} className="flex flex-col gap-1">
        <Entry to="/panel" icon={LayoutDashboard} onLeave={onLeave} current={atHome} end>
          {t("common.menu.dashboard")}
        </Entry>
        <Entry to="/panel/drivers" icon={Users} onLeave={onLeave}>
          {t("common.menu.drivers")}
        </Entry>
        <Entry to="/panel/notifications" icon={Bell} onLeave={onLeave}>
          {t("common.menu.notifications")}
          {unread > 0 && (
            <span className="figures ml-auto rounded-full bg-rail-ink px-2 text-sm font-bold text-rail">
              <span aria-hidden>{unread}</span>
              <span className="sr-only">{t("common.menu.unread", { count: unread })}</span>
            </span>
          )}
        </Entry>
        <Entry to="/panel/subscription" icon={CreditCard} onLeave={onLeave}>
          {t("common.menu.subscription")}
        </Entry>
        <Entry to="/panel/account" icon={CircleUser} onLeave={onLeave}>
          {t("common.menu.account")}
        </Entry>
      </nav>

      <div className="mt-auto flex flex-col gap-1">
        <button type="button" onClick={onHelp} className={entryLook}>
          <CircleHelp aria-hidden className="size-5" />
          {t("common.menu.help")}
        </button>
        <button
          type="button"
          onClick={() => logout.mutate()}
          aria-busy={logout.isPending || undefined}
          className={entryLook}
        >
          {logout.isPending ? <Spinner small /> : <LogOut aria-hidden className="size-5" />}
          {t("common.menu.logout")}
        </button>
        <div className="mt-3 flex flex-col items-start gap-3 border-t border-rail-line px-3 pt-4">
          <span className="w-full truncate text-sm text-rail-ink-soft" title={email}>
            {email}
          </span>
          <AccountLanguageSwitch onRail />
        </div>
      </div>
    </div>
  )
}

const entryLook = clsx(
  "flex min-h-11 items-center gap-3 rounded-md px-3 text-left font-medium text-rail-ink-soft",
  "hover:bg-rail-raised hover:text-rail-ink focus-visible:outline-rail-ink",
)

type EntryProps = {
  to: string
  icon: LucideIcon
  end?: boolean
  current?: boolean
  onLeave: (() => void) | undefined
  children: React.ReactNode
}

function Entry({ to, icon: Icon, end, current = false, onLeave, children }: EntryProps) {
  return (
    <NavLink
      to={to}
      prefetch="render"
      end={end ?? false}
      onClick={onLeave}
      {...(current ? { "aria-current": "page" } : {})}
      className={({ isActive }) =>
        clsx(
          entryLook,
          // the dash of a road's middle line marks where you are
          (isActive || current) &&
            "relative bg-rail-raised font-semibold text-rail-ink! before:absolute before:inset-y-2.5 before:left-0 before:w-1 before:rounded-full before:bg-rail-ink",
        )
      }
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      {children}
    </NavLink>
  )
}
