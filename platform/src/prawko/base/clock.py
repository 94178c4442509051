"""Product clock, system clock, and dates in Warsaw.

Product time (`Clock`) determines days, due dates, ends of periods, `verifiedAt`, notices and
codes; the demo can shift it. System time (`utc_now`) determines leases, rate limits, back-off
and the lifetime of login sessions.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Protocol, runtime_checkable
from zoneinfo import ZoneInfo

WARSAW = ZoneInfo("Europe/Warsaw")
NO_OFFSET = timedelta(0)


@runtime_checkable
class Clock(Protocol):
    """Source of product time."""

    def now(self) -> datetime:
        """Return the present product time, aware, in UTC."""
        ...

    def offset(self) -> timedelta:
        """Return product time minus system time; zero outside the demo."""
        ...


class RealTimeClock:
    """Product clock that equals the system clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def offset(self) -> timedelta:
        return NO_OFFSET


def utc_now() -> datetime:
    """Return the present system time, aware, in UTC."""
    return datetime.now(UTC)


def add_days(start: datetime, days: int) -> datetime:
    """Return the same wall-clock time in Warsaw some calendar days later, in UTC; earlier below 0.

    In an hour that occurs twice it is the first; a time skipped in spring becomes the one an
    hour later.
    """
    wall = start.astimezone(WARSAW).replace(tzinfo=None) + timedelta(days=days)
    return wall.replace(tzinfo=WARSAW, fold=0).astimezone(UTC)


def warsaw_date(instant: datetime) -> date:
    """Return the calendar date in Warsaw at an aware datetime."""
    return instant.astimezone(WARSAW).date()
