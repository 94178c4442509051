"""Exponential back-off of repeated attempts, and the delays that other servers name."""

import math
from datetime import timedelta

import msgspec

MAX_DOUBLINGS = 20  # more than any back-off here needs until its longest delay


class Backoff(msgspec.Struct, frozen=True):
    """Delays that double from the first to the longest."""

    first: timedelta
    longest: timedelta

    def delay(self, attempts: int, *, requested: timedelta | None = None) -> timedelta:
        """Return the delay after `attempts` failures.

        One that is requested counts only if it is longer: a server that keeps asking for none
        would use up the attempts of days within a second.
        """
        doublings: int = 2 ** min(max(attempts, 1) - 1, MAX_DOUBLINGS)
        own = min(self.first * doublings, self.longest)
        return own if requested is None else max(own, requested)

    def attempts_within(self, duration: timedelta) -> int:
        """Return the number of attempts whose delays add up to the duration."""
        attempts, total = 1, timedelta(0)
        while total < duration:
            total += self.delay(attempts)
            attempts += 1
        return attempts


def bounded_delay(
    seconds: object, *, longest: timedelta, shortest: timedelta = timedelta(0)
) -> timedelta | None:
    """Return a delay that a provider named, within bounds; None if it is no number.

    It came through a plugin: it may be negative, infinite, or no number at all.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or math.isnan(seconds):
        return None
    bounded = min(max(seconds, shortest.total_seconds()), longest.total_seconds())
    return timedelta(seconds=bounded)


# Of messages, webhook events and documents.
BACKOFF = Backoff(timedelta(seconds=30), timedelta(hours=1))
GIVE_UP_AFTER = timedelta(days=3)
# Attempts are counted instead of days: a pause for our own account costs no attempt.
MAX_ATTEMPTS = BACKOFF.attempts_within(GIVE_UP_AFTER)
