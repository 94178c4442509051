/** Both message catalogues, a file per feature. The keys are typed from the Polish one. */

import enAccounts from "~/locales/en/accounts.json"
import enCommon from "~/locales/en/common.json"
import enDashboard from "~/locales/en/dashboard.json"
import enDrivers from "~/locales/en/drivers.json"
import enHelp from "~/locales/en/help.json"
import enNotifications from "~/locales/en/notifications.json"
import enProblems from "~/locales/en/problems.json"
import enSubscription from "~/locales/en/subscription.json"
import enVerifications from "~/locales/en/verifications.json"
import plAccounts from "~/locales/pl/accounts.json"
import plCommon from "~/locales/pl/common.json"
import plDashboard from "~/locales/pl/dashboard.json"
import plDrivers from "~/locales/pl/drivers.json"
import plHelp from "~/locales/pl/help.json"
import plNotifications from "~/locales/pl/notifications.json"
import plProblems from "~/locales/pl/problems.json"
import plSubscription from "~/locales/pl/subscription.json"
import plVerifications from "~/locales/pl/verifications.json"

export const polish = {
  accounts: plAccounts,
  common: plCommon,
  dashboard: plDashboard,
  drivers: plDrivers,
  help: plHelp,
  notifications: plNotifications,
  problems: plProblems,
  subscription: plSubscription,
  verifications: plVerifications,
}

export const english = {
  accounts: enAccounts,
  common: enCommon,
  dashboard: enDashboard,
  drivers: enDrivers,
  help: enHelp,
  notifications: enNotifications,
  problems: enProblems,
  subscription: enSubscription,
  verifications: enVerifications,
}
