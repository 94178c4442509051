"""When the daily check of a day starts (reading R7), in the wall clock of Warsaw.

The run is to be done half an hour after `DAILY_CHECK_AT`. It starts then at the latest, and
earlier when the number of drivers divided by the allowed rate needs it, but never before the
day itself: an answer of yesterday is no answer of today. A run is keyed by its Warsaw date, so
no hour that comes twice can double it.
"""

import math
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from prawko.base.clock import WARSAW, warsaw_day

MAY_TAKE = timedelta(minutes=30)
SPARE = 1.1  # answers that must be asked for twice, and pauses


class Timetable(NamedTuple):
    """What decides the hour: the latest wall-clock start, and drivers checked per second."""

    check_time: time
    per_second: float

    def ready_by(self, day: date) -> datetime:
        """The instant at which the day's check is to be done."""
        return _at(day, self.check_time) + MAY_TAKE

    def starts_at(self, day: date, drivers: int) -> datetime:
        """The instant at which the day's check of so many drivers starts."""
        needed = timedelta(seconds=math.ceil(drivers / self.per_second * SPARE))
        latest = _at(day, self.check_time)
        return max(_at(day, time.min), min(latest, self.ready_by(day) - needed))

    def capacity(self, day: date) -> int:
        """How many drivers can be checked between the day's beginning and `ready_by`."""
        night = self.ready_by(day) - _at(day, time.min)
        return int(night.total_seconds() * self.per_second / SPARE)

    def must_have_started(self, now: datetime, drivers: int) -> date | None:
        """Today, when its check must have been started by now; else None.

        Also hours later: a check missed at its hour is caught up on the same day.
        """
        today = warsaw_day(now)
        return today if now >= self.starts_at(today, drivers) else None


def _at(day: date, wall: time) -> datetime:
    # In UTC, where arithmetic is about instants. An hour that does not exist is the one after
    # it, of an hour that comes twice it is the first.
    return datetime.combine(day, wall, WARSAW).astimezone(UTC)
