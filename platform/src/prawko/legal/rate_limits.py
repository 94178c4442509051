"""Rate limits of documents; a test compares them with docs/operations.md."""

from prawko.base.rate_limit import HOUR, RateLimit

AGREEMENTS = RateLimit("agreement", 30, HOUR)
