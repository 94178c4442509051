"""How often an archive is made (docs/operations.md has the figures)."""

from datetime import timedelta

from prawko.accounts.throttle import Limit

COMPANY_EXPORTS = Limit("company_export", 5, timedelta(hours=1))
DRIVER_EXPORTS = Limit("driver_export", 60, timedelta(hours=1))
