"""Exponential back-off of whatever failed and is tried again."""

from datetime import timedelta

import msgspec

MAX_DOUBLINGS = 20  # more than any back-off here needs until its longest delay


class Backoff(msgspec.Struct, frozen=True):
    """Delays that double from the first to the longest."""

    first: timedelta
    longest: timedelta

    def delay(self, attempts: int) -> timedelta:
        """Return the delay after `attempts` failures."""
        doublings: int = 2 ** min(max(attempts, 1) - 1, MAX_DOUBLINGS)
        return min(self.first * doublings, self.longest)

    def attempts_within(self, duration: timedelta) -> int:
        """Return the number of attempts whose delays add up to the duration."""
        attempts, total = 1, timedelta(0)
        while total < duration:
            total += self.delay(attempts)
            attempts += 1
        return attempts


# Of messages, webhook events and documents.
BACKOFF = Backoff(timedelta(seconds=30), timedelta(hours=1))
GIVE_UP_AFTER = timedelta(days=3)
# Attempts are counted instead of days: a pause for our own account costs no attempt.
MAX_ATTEMPTS = BACKOFF.attempts_within(GIVE_UP_AFTER)
