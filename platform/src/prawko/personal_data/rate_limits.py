"""Rate limits of exports; a test compares them with docs/operations.md."""

from prawko.base.rate_limit import HOUR, RateLimit

COMPANY_EXPORTS = RateLimit("company_export", 5, HOUR)
DRIVER_EXPORTS = RateLimit("driver_export", 60, HOUR)
