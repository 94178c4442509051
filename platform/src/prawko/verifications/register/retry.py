"""Delay before a check item without an answer is queried again (docs/rules.md R10)."""

from datetime import timedelta

from prawko.hooks.licence_register import RegisterErrorKind
from prawko.kit.backoff import Backoff, bounded_delay

BACKOFF = Backoff(timedelta(seconds=30), timedelta(minutes=30))
# The register, or a firewall before it, rejected the query: somebody has to correct the driver
# first.
REJECTED_DELAY = timedelta(hours=1)
# A missing document is queried again before it counts (R11).
RECHECK_MISSING_AFTER = timedelta(hours=1)
# A longer Retry-After is kept by the rate limiter, not by the item.
MAX_DELAY = timedelta(hours=1)


def retry_delay(
    error_kind: RegisterErrorKind | None, attempts: int, *, retry_after: float | None = None
) -> timedelta:
    """Delay after `attempts` tries without an answer, with exponential back-off.

    `error_kind` is None if the register rejected our account or its adapter failed; `retry_after`
    is the register's Retry-After in seconds.
    """
    if error_kind is RegisterErrorKind.INVALID_QUERY:
        return REJECTED_DELAY
    requested = bounded_delay(retry_after, longest=MAX_DELAY)
    return BACKOFF.delay(attempts, requested=requested)
