"""Product clock, system clock, and dates in Warsaw.

Product time (`Clock`) determines days, due dates, ends of periods, `verifiedAt`, notices and
codes; the demo can shift it. System time (`utc_now`) determines leases, rate limits, back-off
and the lifetime of login sessions. `ClockGuard` compares it with PostgreSQL's.
"""

import time
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Protocol, runtime_checkable
from zoneinfo import ZoneInfo

from prawko_tenants.engine import Database

WARSAW = ZoneInfo("Europe/Warsaw")
REGISTER_SWITCH_HOUR = 7
NO_OFFSET = timedelta(0)
# Between this machine's clock and PostgreSQL's; machines that synchronise differ by milliseconds.
MAX_CLOCK_DIFFERENCE = timedelta(seconds=10)
# The most that two processes may differ by. A time that is further ahead than a policy can set it,
# by more than this, was written by a wrong clock and is ignored.
MAX_CLOCK_SKEW = 2 * MAX_CLOCK_DIFFERENCE


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


class ClockDiffersError(RuntimeError):
    """The system clock is not PostgreSQL's."""

    def __init__(self, deviation: timedelta) -> None:
        super().__init__(
            f"this machine's clock is {describe_deviation(deviation)} PostgreSQL's:"
            " set the one that is wrong"
        )


class ClockGuard:
    """Whether the system clock can be trusted, by comparison with PostgreSQL's.

    Between two comparisons a jump shows at once, because the monotonic clock does not jump. The
    clock is trusted until the first comparison.
    """

    def __init__(self) -> None:
        self._deviation = NO_OFFSET  # when last compared
        self._wall_at_zero: float | None = None  # of the monotonic clock, when last compared

    async def compare(self, database: Database) -> datetime:
        """Compare with the database's time, and return that."""
        wall_at_zero, before, started_at = _wall_at_zero(), utc_now(), time.monotonic()
        database_now = await database.read_time()
        after = before + timedelta(seconds=time.monotonic() - started_at)
        self._deviation = max(before - database_now, NO_OFFSET) or min(
            after - database_now, NO_OFFSET
        )
        self._wall_at_zero = wall_at_zero
        return database_now

    @property
    def deviation(self) -> timedelta:
        """How far the clock is ahead now; negative if it is behind."""
        if self._wall_at_zero is None:
            return NO_OFFSET
        return self._deviation + timedelta(seconds=_wall_at_zero() - self._wall_at_zero)

    @property
    def is_trusted(self) -> bool:
        """Whether work that depends on the time may go on."""
        return abs(self.deviation) <= MAX_CLOCK_DIFFERENCE

    def require_trusted(self) -> None:
        """Raise ClockDiffersError unless the clock can be trusted."""
        if not self.is_trusted:
            raise ClockDiffersError(self.deviation)


class GuardedClock:
    """A product clock that raises ClockDiffersError while the system clock cannot be trusted."""

    def __init__(self, clock: Clock, guard: ClockGuard) -> None:
        self._clock = clock
        self._guard = guard

    def now(self) -> datetime:
        now = self._clock.now()
        self._guard.require_trusted()
        return now

    def offset(self) -> timedelta:
        return self._clock.offset()


def describe_deviation(deviation: timedelta) -> str:
    """Return how far a clock is off, as in `2:00:00 ahead of`."""
    size = timedelta(seconds=round(abs(deviation).total_seconds()))
    return f"{size} {'behind' if deviation < NO_OFFSET else 'ahead of'}"


def _wall_at_zero() -> float:
    return utc_now().timestamp() - time.monotonic()


def add_days(start: datetime, days: int) -> datetime:
    """Return the same wall-clock time in Warsaw some calendar days later, in UTC; earlier below 0.

    In an hour that occurs twice it is the first; a time skipped in spring becomes the one an
    hour later.
    """
    wall = start.astimezone(WARSAW).replace(tzinfo=None) + timedelta(days=days)
    return wall.replace(tzinfo=WARSAW, fold=0).astimezone(UTC)


def warsaw_midnight(day: date) -> datetime:
    """Return the instant at which a day begins in Warsaw."""
    return datetime(day.year, day.month, day.day, tzinfo=WARSAW)


def warsaw_date(instant: datetime) -> date:
    """Return the calendar date in Warsaw at an aware datetime."""
    return _warsaw_date_in_hour(int(instant.timestamp()) // 3600)


def register_date(instant: datetime) -> date:
    """Return the day whose state the register shows, 'Stan na dzień' (docs/rules.md R8)."""
    local = instant.astimezone(WARSAW)
    return local.date() - timedelta(days=1 if local.hour >= REGISTER_SWITCH_HOUR else 2)


@lru_cache(maxsize=256)
def _warsaw_date_in_hour(hour: int) -> date:
    """Return the date in an hour since 1970: Warsaw's offsets and their changes are whole hours."""
    return datetime.fromtimestamp(hour * 3600, WARSAW).date()
