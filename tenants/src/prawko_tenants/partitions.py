"""Months and days that must be there before a row of theirs can be written.

The database's own functions make and drop them, for no login of ours may. Making a month
holds drivers and answers still for a moment, so each of these is called in a transaction of
its own: inside one that has written a driver, two callers could wait for each other.
"""

from datetime import date

from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from prawko_tenants.sessions import PlannerSession, SystemSession

_ENSURE_MONTH = text("SELECT ensure_month(:day)")
_ENSURE_DAY = text("SELECT ensure_day(:day)")
_DROP_DAYS = text("SELECT drop_days(:before)")
_DROP_MONTHS = text("SELECT drop_months(:before)")


async def ensure_month(session: SystemSession | PlannerSession, day: date) -> bool:
    """Make the partition for verifications of that day's month, by UTC; False: it was there.

    A day more than 24 months away is refused, here and below.
    """
    return bool(await session.scalar(_ENSURE_MONTH, {"day": day}))


async def ensure_day(session: SystemSession | PlannerSession, day: date) -> bool:
    """Make the partition for check items of that day; False: it was there."""
    return bool(await session.scalar(_ENSURE_DAY, {"day": day}))


async def drop_days(session: SystemSession | PlannerSession, before: date) -> int:
    """Drop the check items of all days before that one, and return how many days there were."""
    return int(await session.scalar(_DROP_DAYS, {"before": before}) or 0)


async def drop_months(session: SystemSession, before: date) -> int:
    """Drop the verifications of all months before that day's, and return how many there were.

    A day within the last five full years is refused by the database.
    """
    return int(await session.scalar(_DROP_MONTHS, {"before": before}) or 0)


def lacks_partition(error: IntegrityError) -> bool:
    """Whether a write failed because its month or day is not there yet."""
    return "no partition of relation" in str(error.orig)
