"""Trials and periods: Warsaw calendar days, ending at the same wall-clock time (docs/rules.md T1).

A day of a clock change has 23 or 25 hours; what began at noon ends at noon. Instants are aware;
results are in UTC.
"""

from datetime import UTC, datetime, timedelta
from math import ceil

from prawko.base.clock import WARSAW

TRIAL_DAYS = 7
PERIOD_DAYS = 30
ONE_DAY = timedelta(days=1)


def trial_end(start: datetime) -> datetime:
    """The end of a trial that starts at `start`."""
    return add_days(start, TRIAL_DAYS)


def extend_end(end: datetime | None, now: datetime) -> datetime:
    """The new end once a period is paid at `now` (T2).

    Counted from the present end if that is ahead, so that paying early, or in a trial, loses
    nothing; else from now.
    """
    return add_days(now if end is None else max(now, end), PERIOD_DAYS)


def add_days(start: datetime, days: int) -> datetime:
    """The same wall-clock time in Warsaw `days` calendar days later; earlier below 0.

    In an hour that occurs twice it is the first; a time skipped in spring becomes the one an
    hour later.
    """
    wall = start.astimezone(WARSAW).replace(tzinfo=None) + timedelta(days=days)
    return wall.replace(tzinfo=WARSAW, fold=0).astimezone(UTC)


def days_left(end: datetime, now: datetime) -> int:
    """Days to `end`, rounded up, never below 0 (P28).

    Counted on the wall clock: a new trial has 7 days left over the clock change in October, and
    also if its end falls into the hour that is skipped in March.
    """
    if end <= now:
        return 0
    left = max(1, ceil((_wall_clock(end) - _wall_clock(now)) / ONE_DAY))
    return left - 1 if left > 1 and add_days(now, left - 1) >= end else left


def _wall_clock(instant: datetime) -> datetime:
    return instant.astimezone(WARSAW).replace(tzinfo=None)
