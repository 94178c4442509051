"""When a last day that comes near is told: 90, 60, 30, 14 and 7 days before. Pure.

Each date and each threshold once. A threshold whose day was missed (nobody checked, the driver
came later) is told on the next day there is, and only the lowest one that has been reached:
a document found 20 days before its end is told as "30 days", not three times over.
"""

from collections.abc import Collection, Iterable
from datetime import date, timedelta

from prawko.notifications.kinds import Expiry

THRESHOLDS = (90, 60, 30, 14, 7)
FARTHEST = timedelta(days=max(THRESHOLDS))
DOCUMENT = ""  # in the place of a category's code


def lowest_reached(days_left: int, thresholds: Iterable[int]) -> int | None:
    """The lowest threshold that so many days left have reached; None before all, or past.

    The last day itself is 0 days left.
    """
    if days_left < 0:
        return None
    return min((days for days in thresholds if days_left <= days), default=None)


def expiries(
    document: date | None, categories: Iterable[tuple[str, date | None]], day: date
) -> tuple[Expiry, ...]:
    """What comes near on `day`, soonest first: the document's last day and its categories'."""
    last_days = {(DOCUMENT, document), *categories}
    near = [
        Expiry(on, category, threshold)
        for category, on in last_days
        if on is not None and (threshold := lowest_reached((on - day).days, THRESHOLDS)) is not None
    ]
    return tuple(sorted(near))


def untold(found: Iterable[Expiry], told: Collection[Expiry]) -> tuple[Expiry, ...]:
    """What nobody was told of. A date that was renewed is another one, and starts anew."""
    return tuple(one for one in found if one not in told)
