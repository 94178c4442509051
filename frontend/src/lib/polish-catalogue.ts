/** The Polish texts of the panel, a file per feature; their keys type those of the other language. Loaded by itself. */

import accounts from "~/locales/pl/accounts.json"
import common from "~/locales/pl/common.json"
import dashboard from "~/locales/pl/dashboard.json"
import drivers from "~/locales/pl/drivers.json"
import help from "~/locales/pl/help.json"
import notifications from "~/locales/pl/notifications.json"
import problems from "~/locales/pl/problems.json"
import subscription from "~/locales/pl/subscription.json"
import verifications from "~/locales/pl/verifications.json"

export const catalogue = {
  accounts,
  common,
  dashboard,
  drivers,
  help,
  notifications,
  problems,
  subscription,
  verifications,
}
