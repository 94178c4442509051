"""Start time and capacity of the daily check, in Warsaw wall-clock time (docs/rules.md R7).

The run must be done half an hour after `DAILY_CHECK_AT`. It starts at `DAILY_CHECK_AT`, or earlier
if the number of drivers at the allowed rate needs longer, but never before midnight, because a
result of yesterday does not count for today. A run is identified by its Warsaw date, so a repeated
hour cannot start a second one.
"""

import math
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple, Self

from prawko.kit.clock import WARSAW, warsaw_date
from prawko.kit.settings import Settings
from prawko.verifications.register.rate_limit_policy import RUN_SHARE

MAX_DURATION = timedelta(minutes=30)
SAFETY_FACTOR = 1.1  # time for retries and pauses


class CheckSchedule(NamedTuple):
    """The latest start as wall-clock time and the number of drivers checked per second."""

    latest_start: time
    drivers_per_second: float

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """The schedule of the settings; a run has its lane's share of every access's rate."""
        rate = settings.register_rate * len(settings.register_names)
        return cls(settings.check_time, rate * RUN_SHARE)

    def deadline(self, day: date) -> datetime:
        """Time by which the day's check must be done."""
        return _to_instant(day, self.latest_start) + MAX_DURATION

    def starts_at(self, day: date, drivers: int) -> datetime:
        """Start time of the day's check for that number of drivers."""
        needed = timedelta(seconds=math.ceil(drivers / self.drivers_per_second * SAFETY_FACTOR))
        latest = _to_instant(day, self.latest_start)
        return max(_to_instant(day, time.min), min(latest, self.deadline(day) - needed))

    def capacity(self, day: date) -> int:
        """Number of drivers that can be checked between midnight and the deadline."""
        night = self.deadline(day) - _to_instant(day, time.min)
        return int(night.total_seconds() * self.drivers_per_second / SAFETY_FACTOR)

    def due_day(self, now: datetime, drivers: int) -> date | None:
        """Today's date if its check is due to have started, else None.

        A missed start is made up for later on the same day.
        """
        today = warsaw_date(now)
        return today if now >= self.starts_at(today, drivers) else None


def _to_instant(day: date, wall_time: time) -> datetime:
    # UTC, so that arithmetic is exact across clock changes. A skipped time is moved one hour
    # ahead; for a repeated time the first one counts.
    return datetime.combine(day, wall_time, WARSAW).astimezone(UTC)
