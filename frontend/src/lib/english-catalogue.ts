/** The English texts of the panel, a file per feature. Loaded by itself. */

import accounts from "~/locales/en/accounts.json"
import common from "~/locales/en/common.json"
import dashboard from "~/locales/en/dashboard.json"
import drivers from "~/locales/en/drivers.json"
import help from "~/locales/en/help.json"
import notifications from "~/locales/en/notifications.json"
import problems from "~/locales/en/problems.json"
import subscription from "~/locales/en/subscription.json"
import verifications from "~/locales/en/verifications.json"

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
