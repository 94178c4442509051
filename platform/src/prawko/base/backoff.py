"""Exponential back-off of failed deliveries."""

from datetime import timedelta

MIN_DELAY = timedelta(seconds=30)
MAX_DELAY = timedelta(hours=1)
GIVE_UP_AFTER = timedelta(days=3)
MAX_RETRY_AFTER = timedelta(days=1)


def backoff_delay(attempts: int) -> timedelta:
    """Return the delay after `attempts` failures: 30 s, doubling up to an hour."""
    doublings: int = 2 ** min(attempts - 1, 20)
    return min(MIN_DELAY * doublings, MAX_DELAY)


def _attempts_within(duration: timedelta) -> int:
    attempts, total = 1, timedelta(0)
    while total < duration:
        total += backoff_delay(attempts)
        attempts += 1
    return attempts


# Attempts are counted instead of days: a channel paused for our own account costs no attempt.
MAX_ATTEMPTS = _attempts_within(GIVE_UP_AFTER)


def next_delay(attempts: int, *, retry_after: float | None = None) -> timedelta | None:
    """Return the delay after `attempts` failures; None when no attempt is left.

    `retry_after` is the carrier's own request in seconds, honoured up to MAX_RETRY_AFTER.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    if retry_after is None:
        return backoff_delay(attempts)
    return min(timedelta(seconds=max(0.0, retry_after)), MAX_RETRY_AFTER)
