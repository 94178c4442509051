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
  Wrench,
} from "lucide-react"
import { useTranslation } from "react-i18next"
import { Link, NavLink, useLocation } from "react-router"
import { AccountLanguageSwitch } from "~/entities/user/account-language-switch"
import { useLogout } from "~/entities/user/use-logout"
import { useUnreadCount } from "~/features/alerts/use-notifications"
import { useIsImpersonated, useUser } from "~/hooks/use-user"
import { buttonStyles } from "~/ui/button"
import { Logo } from "~/ui/logo"
import { Spinner } from "~/ui/spinner"

type SidebarProps = {
  onHelp: () => void
  onNavigate?: () => void
  /** Without the screens and acts that need an account. */
  isSample: boolean
}

export function Sidebar({ onHelp, onNavigate, isSample }: SidebarProps) {
  const { t } = useTranslation()
  const { email, isAdmin } = useUser()
  const isImpersonated = useIsImpersonated()
  const logout = useLogout()
  const isHome = ["/", "/en"].includes(useLocation().pathname)

  return (
    <div
      className={clsx(
        "flex min-h-full flex-1 flex-col px-3 beside:px-2.5",
        isImpersonated ? "pb-24" : "pb-5", // the banner lies over the end
      )}
    >
      <div className="flex h-14 shrink-0 items-center px-3 lg:h-17 beside:overflow-hidden beside:px-1">
        <Logo onSidebar />
      </div>

      <nav aria-label={t("common.menu.label")} className="mb-6 flex flex-col gap-1">
        <SidebarLink
          to="/panel"
          icon={LayoutDashboard}
          onNavigate={onNavigate}
          current={isHome}
          end
        >
          <Label>{t("common.menu.dashboard")}</Label>
        </SidebarLink>
        <SidebarLink to="/panel/drivers" icon={Users} onNavigate={onNavigate}>
          <Label>{t("common.menu.drivers")}</Label>
        </SidebarLink>
        {!isSample && (
          <>
            <SidebarLink to="/panel/notifications" icon={Bell} onNavigate={onNavigate}>
              <Label>{t("common.menu.notifications")}</Label>
              <UnreadCount className="ml-auto px-2 text-sm beside:absolute beside:-top-0.5 beside:-right-1 beside:px-1 beside:text-xs" />
            </SidebarLink>
            <SidebarLink to="/panel/subscription" icon={CreditCard} onNavigate={onNavigate}>
              <Label>{t("common.menu.subscription")}</Label>
            </SidebarLink>
            <SidebarLink to="/panel/account" icon={CircleUser} onNavigate={onNavigate}>
              <Label>{t("common.menu.account")}</Label>
            </SidebarLink>
          </>
        )}
        {isAdmin && !isImpersonated && (
          <a href="/admin/" className={entryStyles}>
            <Wrench aria-hidden className="size-5" />
            <Label>{t("common.menu.console")}</Label>
          </a>
        )}
      </nav>

      <div className="mt-auto flex flex-col gap-1">
        <button type="button" onClick={onHelp} className={entryStyles}>
          <CircleHelp aria-hidden className="size-5" />
          <Label>{t("common.menu.help")}</Label>
        </button>
        {!isSample && (
          <button
            type="button"
            onClick={() => logout.mutate()}
            aria-busy={logout.isPending || undefined}
            className={entryStyles}
          >
            {logout.isPending ? <Spinner small /> : <LogOut aria-hidden className="size-5" />}
            <Label>{t("common.menu.logout")}</Label>
          </button>
        )}
        <div className="mt-3 flex flex-col items-start gap-3 border-t border-sidebar-line px-3 pt-4 beside:hidden">
          <span className="w-full truncate text-sm text-sidebar-ink-soft" title={email}>
            {email}
          </span>
          <AccountLanguageSwitch onSidebar />
        </div>
      </div>
    </div>
  )
}

/** The way to the notifications in the top bar of small screens. */
export function BellLink() {
  const { t } = useTranslation()
  return (
    <Link
      to="/panel/notifications"
      className={`relative ml-auto ${buttonStyles({ variant: "sidebar", size: "icon" })}`}
    >
      <Bell aria-hidden className="size-6" />
      <span className="sr-only">{t("common.menu.notifications")}</span>
      <UnreadCount className="absolute top-0 right-0 px-1.5 text-xs" />
    </Link>
  )
}

function UnreadCount({ className }: { className: string }) {
  const { t } = useTranslation()
  const unread = useUnreadCount()
  if (unread === 0) return null
  return (
    <span className={clsx("figures rounded-full bg-sidebar-ink font-bold text-sidebar", className)}>
      <span aria-hidden>{unread > 99 ? "99+" : unread}</span>
      <span className="sr-only">{t("common.menu.unread", { count: unread })}</span>
    </span>
  )
}

const entryStyles = clsx(
  "relative flex min-h-11 items-center gap-3 rounded-md px-3 text-left font-medium text-sidebar-ink-soft",
  "hover:bg-sidebar-raised hover:text-sidebar-ink focus-visible:outline-sidebar-ink",
)

/** Of a rail only the icons are seen. */
function Label({ children }: { children: string }) {
  return <span className="beside:sr-only">{children}</span>
}

type SidebarLinkProps = {
  to: string
  icon: LucideIcon
  end?: boolean
  current?: boolean
  onNavigate: (() => void) | undefined
  children: React.ReactNode
}

function SidebarLink({
  to,
  icon: Icon,
  end,
  current = false,
  onNavigate,
  children,
}: SidebarLinkProps) {
  return (
    <NavLink
      to={to}
      prefetch="intent"
      end={end ?? false}
      onClick={onNavigate}
      {...(current ? { "aria-current": "page" } : {})}
      className={({ isActive }) =>
        clsx(
          entryStyles,
          // the centre line of a road marks the current screen
          (isActive || current) &&
            "bg-sidebar-raised font-semibold text-sidebar-ink! before:absolute before:inset-y-2.5 before:left-0 before:w-1 before:rounded-full before:bg-sidebar-ink",
        )
      }
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      {children}
    </NavLink>
  )
}
