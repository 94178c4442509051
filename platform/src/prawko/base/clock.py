"""The product's clock, and the wall clock of Warsaw that its days are counted by.

Two clocks run side by side (the decision record "two clocks" says why). The product clock
decides days, due dates, ends, `verifiedAt`, notices and codes; the demo can move it. The
machine clock decides leases, pace, back-off and the life of a session; nothing moves it.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Protocol, runtime_checkable
from zoneinfo import ZoneInfo

WARSAW = ZoneInfo("Europe/Warsaw")
UNMOVED = timedelta(0)


@runtime_checkable
class Clock(Protocol):
    """The product's clock."""

    def now(self) -> datetime:
        """The product's present instant, aware, in UTC."""
        ...

    def offset(self) -> timedelta:
        """How far the product's clock stands from the machine's; zero outside the demo."""
        ...


class SystemClock:
    """The product's clock where nobody may move it."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def offset(self) -> timedelta:
        return UNMOVED


def machine_now() -> datetime:
    """The machine's present instant, aware, in UTC."""
    return datetime.now(UTC)


def warsaw_day(instant: datetime) -> date:
    """The calendar day in Warsaw at an aware instant."""
    return instant.astimezone(WARSAW).date()
