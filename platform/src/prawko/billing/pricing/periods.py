"""Trials and paid periods: Warsaw calendar days with the same wall-clock end (docs/rules.md T1).

A day of a clock change has 23 or 25 hours; what began at noon ends at noon. Instants are aware;
results are in UTC.
"""

from datetime import datetime, timedelta
from math import ceil

import msgspec

from prawko.base.clock import WARSAW, add_days

TRIAL_DAYS = 7
PERIOD_DAYS = 30
ONE_DAY = timedelta(days=1)


class ActivePeriod(msgspec.Struct, frozen=True, kw_only=True):
    """An active paid period until `end`, and the limit scheduled after the present one.

    `scheduled_at` before `end`: the later limit is prepaid. At the end: it is only scheduled.
    """

    limit: int
    end: datetime
    scheduled_limit: int | None = None
    scheduled_at: datetime | None = None

    @property
    def prepaid_limit(self) -> int | None:
        """The limit prepaid for the later part; None if all of the paid time has one limit."""
        if self.scheduled_at is None or self.scheduled_at >= self.end:
            return None
        return self.scheduled_limit

    @property
    def last_limit(self) -> int:
        """The limit at the end of the paid time."""
        return self.limit if self.prepaid_limit is None else self.prepaid_limit


def trial_end(start: datetime) -> datetime:
    """The end of a trial that starts at `start`."""
    return add_days(start, TRIAL_DAYS)


def extend_end(end: datetime | None, now: datetime) -> datetime:
    """The new end once a period is paid at `now` (T2).

    Counted from the present end if that is ahead, so that paying early, or in a trial, loses
    nothing; else from now.
    """
    return add_days(now if end is None else max(now, end), PERIOD_DAYS)


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
