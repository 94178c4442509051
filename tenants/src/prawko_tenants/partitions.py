"""Creates and drops partitions: months of verifications, days of check items.

Functions of the database owner do it, because no login may. Creating a month briefly locks
drivers and answers, so each function is called in a transaction of its own: inside one that
has written a driver, two callers could deadlock.
"""

from datetime import date

from sqlalchemy import text

from prawko_tenants.outages import message_of
from prawko_tenants.sessions import PlannerSession, SystemSession

_ENSURE_MONTH = text("SELECT ensure_month(:day)")
_ENSURE_DAY = text("SELECT ensure_day(:day)")
_DROP_DAYS = text("SELECT drop_days(:before)")
_DROP_MONTHS = text("SELECT drop_months(:before)")


async def ensure_month(session: SystemSession | PlannerSession, day: date) -> bool:
    """Create the partition for verifications of the day's month (UTC); False if it existed.

    Raises DBAPIError for a day more than 24 months away, as do the functions below.
    """
    return bool(await session.scalar(_ENSURE_MONTH, {"day": day}))


async def ensure_day(session: SystemSession | PlannerSession, day: date) -> bool:
    """Create the partition for check items of the day; False if it existed."""
    return bool(await session.scalar(_ENSURE_DAY, {"day": day}))


async def drop_days(session: SystemSession | PlannerSession, before: date) -> int:
    """Drop the partitions of check items before the day; returns how many."""
    return int(await session.scalar(_DROP_DAYS, {"before": before}) or 0)


async def drop_months(session: SystemSession, before: date) -> int:
    """Drop the partitions of verifications before the day's month; returns how many.

    Raises DBAPIError for a day within the last five full years.
    """
    return int(await session.scalar(_DROP_MONTHS, {"before": before}) or 0)


def is_missing_partition(error: Exception) -> bool:
    """Whether a write failed for lack of a partition."""
    return "no partition of relation" in message_of(error)
