"""Thresholds of expiry notices: 90, 60, 30, 14 and 7 days before a date, and after it.

Each date and threshold is notified once. A threshold whose day was missed (no check ran, the
driver was added later) is sent on the next day, and only the lowest one reached: for a document
first seen 20 days before its end the "30 days" reminder is sent, not three. A date has passed from
the next Warsaw day on, however long ago it was; drivers who were added later are named, too.
"""

from collections.abc import Collection, Iterable
from datetime import date, timedelta

from prawko.notifications.payloads import Expiry

THRESHOLD_DAYS = (90, 60, 30, 14, 7)
EXPIRED = -1  # the threshold of a date that has passed
LOOKAHEAD = timedelta(days=max(THRESHOLD_DAYS))
WHOLE_DOCUMENT = ""  # instead of a category's code


def reached_threshold(days_left: int, thresholds: Iterable[int]) -> int | None:
    """Return the lowest threshold reached: None before the first, EXPIRED after the date.

    On the date itself, which is the last valid day, `days_left` is 0.
    """
    if days_left < 0:
        return EXPIRED
    return min((days for days in thresholds if days_left <= days), default=None)


def reached_expiries(
    document: date | None, categories: Iterable[tuple[str, date | None]], day: date
) -> tuple[Expiry, ...]:
    """Return the document's and categories' dates near or past on `day`, oldest first."""
    dates = {(WHOLE_DOCUMENT, document), *categories}
    expiries = [
        Expiry(on, category, threshold)
        for category, on in dates
        if on is not None
        and (threshold := reached_threshold((on - day).days, THRESHOLD_DAYS)) is not None
    ]
    return tuple(sorted(expiries))


def unsent_expiries(current: Iterable[Expiry], sent: Collection[Expiry]) -> tuple[Expiry, ...]:
    """Return the expiries without a sent notice. A renewed date counts as a new one."""
    return tuple(expiry for expiry in current if expiry not in sent)
