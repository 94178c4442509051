"""The figures of a company's month, and when they are due. Pure.

A month is one of Warsaw. Its figures are due from 8:00 of the first day from Monday to Friday that
is not the 1st, which is a holiday in several months, until the next month begins.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from statistics import median

from prawko.kit.clock import WARSAW, warsaw_date
from prawko_tenants.ids import DriverId

DUE_FROM = time(8)  # the day's check is done
_SATURDAY = 5

DriverTime = tuple[DriverId, datetime]


def find_due_month(now: datetime) -> date | None:
    """Return the first day of the month whose figures are due; None before the first workday."""
    first = warsaw_date(now).replace(day=1)
    workday = first + timedelta(days=1)
    while workday.weekday() >= _SATURDAY:
        workday += timedelta(days=1)
    is_due = now >= datetime.combine(workday, DUE_FROM, WARSAW)
    return (first - timedelta(days=1)).replace(day=1) if is_due else None


def next_month(month: date) -> date:
    """Return the first day of the month after."""
    return (month + timedelta(days=31)).replace(day=1)


def reaction_minutes(alarms: Sequence[DriverTime], acts: Sequence[DriverTime]) -> list[int]:
    """Return the minutes from each alarm to the act that followed it.

    An act answers the driver's last alarm before it; of several acts the first counts. An alarm
    without one has no time.
    """
    minutes = []
    for driver in dict(alarms):
        times = sorted(at for one, at in alarms if one == driver)
        for alarm, following in pairwise([*times, None]):
            if alarm is None:
                continue
            answers = [
                at
                for one, at in acts
                if one == driver and at >= alarm and (following is None or at < following)
            ]
            if answers:
                minutes.append(int((min(answers) - alarm).total_seconds()) // 60)
    return minutes


def median_minutes(minutes: Sequence[int]) -> int | None:
    """Return the median, rounded down; None without any."""
    return int(median(minutes)) if minutes else None
