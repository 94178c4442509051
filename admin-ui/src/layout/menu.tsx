/** The console's menu, in groups of what operators look after. */

import AccountBalanceOutlined from "@mui/icons-material/AccountBalanceOutlined"
import ApartmentOutlined from "@mui/icons-material/ApartmentOutlined"
import ExtensionOutlined from "@mui/icons-material/ExtensionOutlined"
import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined"
import ForumOutlined from "@mui/icons-material/ForumOutlined"
import HistoryOutlined from "@mui/icons-material/HistoryOutlined"
import InsightsOutlined from "@mui/icons-material/InsightsOutlined"
import PaymentsOutlined from "@mui/icons-material/PaymentsOutlined"
import PeopleOutlined from "@mui/icons-material/PeopleOutlined"
import RuleOutlined from "@mui/icons-material/RuleOutlined"
import SendOutlined from "@mui/icons-material/SendOutlined"
import SpaceDashboardOutlined from "@mui/icons-material/SpaceDashboardOutlined"
import SupportOutlined from "@mui/icons-material/SupportOutlined"
import UndoOutlined from "@mui/icons-material/UndoOutlined"
import WarningAmberOutlined from "@mui/icons-material/WarningAmberOutlined"

type MenuEntry = { path: string; label: string; icon: typeof RuleOutlined }
type MenuGroup = { label: string; entries: MenuEntry[] }

const resource = (path: string, icon: MenuEntry["icon"]): MenuEntry => ({
  path,
  label: `resources.${path}.name`,
  icon,
})

export const menu: MenuGroup[] = [
  {
    label: "console.menu.today",
    entries: [
      { path: "", label: "console.dashboard.title", icon: SpaceDashboardOutlined },
      resource("check-runs", FactCheckOutlined),
      resource("deliveries", SendOutlined),
      resource("incidents", WarningAmberOutlined),
      { path: "charts", label: "console.charts.title", icon: InsightsOutlined },
    ],
  },
  {
    label: "console.menu.customers",
    entries: [
      resource("users", PeopleOutlined),
      resource("companies", ApartmentOutlined),
      resource("tickets", SupportOutlined),
      resource("contact-messages", ForumOutlined),
    ],
  },
  {
    label: "console.menu.money",
    entries: [
      resource("payments", PaymentsOutlined),
      resource("discrepancies", RuleOutlined),
      resource("refunds", UndoOutlined),
      { path: "statements", label: "console.statements.title", icon: AccountBalanceOutlined },
    ],
  },
  {
    label: "console.menu.system",
    entries: [resource("plugins", ExtensionOutlined), resource("actions", HistoryOutlined)],
  },
]

/** The entry of the screen at a path under the basename. */
export function findMenuEntry(path: string): MenuEntry | undefined {
  const first = path.split("/")[1] ?? ""
  return menu.flatMap(({ entries }) => entries).find((entry) => entry.path === first)
}
