"""How long a message waits for its next try, and when there is none."""

from datetime import timedelta

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
KEEP_TRYING = timedelta(days=3)
LONGEST_OBEYED = timedelta(days=1)


def wait_after(attempts: int) -> timedelta:
    """The wait after the given number of failed attempts: 30 s, doubling up to an hour."""
    doublings: int = 2 ** min(attempts - 1, 20)
    return min(FIRST_WAIT * doublings, LONGEST_WAIT)


def _attempts_in(span: timedelta) -> int:
    attempts, waited = 1, timedelta(0)
    while waited < span:
        waited += wait_after(attempts)
        attempts += 1
    return attempts


# Attempts are counted, not days: what waits because our own account was refused loses nothing.
MOST_ATTEMPTS = _attempts_in(KEEP_TRYING)


def next_wait(attempts: int, *, asked_for: float | None = None) -> timedelta | None:
    """The wait after that many failed attempts; None when the last one is used up.

    `asked_for` is what the carrier asked us to wait, in seconds: obeyed up to a day.
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    if asked_for is None:
        return wait_after(attempts)
    return min(timedelta(seconds=max(0.0, asked_for)), LONGEST_OBEYED)
