"""How long things last: Warsaw calendar days at the same wall-clock time, never 24 hours.

On both days of the clock change a day has 23 or 25 hours; what began at noon ends at noon.
Instants go in and come out aware; they come out in UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from math import ceil

from prawko.base.clock import WARSAW

TRIAL_DAYS = 7
PERIOD_DAYS = 30
ONE_DAY = timedelta(days=1)


def trial_end(start: datetime) -> datetime:
    """The instant at which a trial that starts now ends."""
    return days_later(start, TRIAL_DAYS)


def paid_end(end: datetime | None, now: datetime) -> datetime:
    """The new end once a period is paid at `now` (readings, "Time and money").

    Counted from the present end where that is ahead, so that nothing is lost by paying early,
    nor in a trial; else from now, so that a late payment starts its period then.
    """
    return days_later(now if end is None else max(now, end), PERIOD_DAYS)


def days_later(start: datetime, days: int) -> datetime:
    """The same wall-clock time in Warsaw, so many calendar days later; below 0: earlier.

    Of an hour that comes twice the first is meant; a time that is skipped in spring becomes
    the one an hour later.
    """
    wall = start.astimezone(WARSAW).replace(tzinfo=None) + timedelta(days=days)
    return wall.replace(tzinfo=WARSAW, fold=0).astimezone(UTC)


def end_of_day(day: date) -> datetime:
    """The last microsecond of a day in Warsaw: what an admin's end date means."""
    return datetime.combine(day, time.max, WARSAW).replace(fold=1).astimezone(UTC)


def days_left(end: datetime, now: datetime) -> int:
    """Days to `end`, begun ones counted whole, never below 0 (spec, section 4).

    Counted on the wall clock: a trial of 7 days over the long night in October has 7 days left,
    and so has one whose end fell into the hour that is skipped in March.
    """
    if end <= now:
        return 0
    left = max(1, ceil((_wall(end) - _wall(now)) / ONE_DAY))
    return left - 1 if left > 1 and days_later(now, left - 1) >= end else left


def _wall(instant: datetime) -> datetime:
    return instant.astimezone(WARSAW).replace(tzinfo=None)
