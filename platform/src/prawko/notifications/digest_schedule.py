"""When the notices of an import's first check are sent together. Pure.

The check of many drivers takes minutes. Each stretch of them has one message for each member and
medium, so that nobody gets one for every driver, and nobody waits until the last is checked.
"""

from datetime import datetime, timedelta

DIGEST_WINDOW = timedelta(minutes=5)
DIGEST_SPAN = timedelta(days=1)  # later results are not what the import has brought
# A result of the end of a window may be written a little later.
DIGEST_DELAY = timedelta(seconds=30)
DIGEST_KEY_PREFIX = "digest:"  # of the outbox keys of its messages


def digest_time(imported_at: datetime, now: datetime) -> datetime | None:
    """Return the end of the window that `now` is in; None long after the import."""
    elapsed = max(now - imported_at, timedelta())
    if elapsed >= DIGEST_SPAN:
        return None
    return imported_at + DIGEST_WINDOW * (elapsed // DIGEST_WINDOW + 1)
