"""Shows and moves the product's clock."""

from datetime import datetime, timedelta

from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.kit.clock import WARSAW, utc_now
from prawko.kit.http.schemas import RequestModel, ResponseModel
from prawko_demo.clock import FileClock
from prawko_demo.dev_api.errors import InvalidTimeError

MAX_OFFSET = timedelta(days=700)  # a day more than 24 months away has no partition


class ClockIn(RequestModel):
    """The time to set; null for the system time."""

    now: datetime | None


class ClockOut(ResponseModel):
    """The product's time in Warsaw, and the seconds it is ahead of the system time."""

    now: datetime
    offset: float


class ClockController(Controller):
    """Shows and moves the product's clock."""

    path = "/clock"

    @get(sync_to_thread=False)
    def get_clock(self, file_clock: NamedDependency[FileClock]) -> ClockOut:
        return _clock_out(file_clock)

    @put(sync_to_thread=False)
    def set_clock(
        self, data: JSONBody[ClockIn], file_clock: NamedDependency[FileClock]
    ) -> ClockOut:
        """Continue from another time, in the panel and the worker at once."""
        if data.now is not None:
            if data.now.tzinfo is None:
                raise InvalidTimeError("The time needs its zone, as in 2026-11-21T05:59:00+01:00.")
            if abs(data.now - utc_now()) > MAX_OFFSET:
                raise InvalidTimeError("The clock moves 23 months at most, either way.")
        file_clock.set_time(data.now)
        return _clock_out(file_clock)


def _clock_out(clock: FileClock) -> ClockOut:
    return ClockOut(now=clock.now().astimezone(WARSAW), offset=clock.offset().total_seconds())
