"""Rate limits of confirmations; a test compares them with docs/operations.md."""

from prawko.base.rate_limit import HOUR, RateLimit

CONFIRMATIONS = RateLimit("confirmation", 60, HOUR)
