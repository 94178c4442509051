"""The product's clock."""

from datetime import datetime, timedelta

from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.base.clock import WARSAW, machine_now
from prawko.base.schemas import Incoming, Outgoing
from prawko_demo.clock import FileClock
from prawko_demo.doors.errors import NoTimeError

FARTHEST = timedelta(days=700)  # a day more than 24 months away has no partition


class ClockIn(Incoming):
    """Where to move it; null brings the machine's time back."""

    now: datetime | None


class ClockOut(Outgoing):
    """The product's time in Warsaw, and how many seconds it is ahead of the machine's."""

    now: datetime
    offset: float


class ClockDoor(Controller):
    """Tells and moves the time."""

    path = "/clock"

    @get(sync_to_thread=False)
    def read(self, file_clock: NamedDependency[FileClock]) -> ClockOut:
        return _read(file_clock)

    @put(sync_to_thread=False)
    def move(self, data: JSONBody[ClockIn], file_clock: NamedDependency[FileClock]) -> ClockOut:
        """Go on ticking from another time. Web and worker follow at once."""
        if data.now is not None:
            if data.now.tzinfo is None:
                raise NoTimeError("The time needs its zone, as in 2026-11-21T05:59:00+01:00.")
            if abs(data.now - machine_now()) > FARTHEST:
                raise NoTimeError("The clock moves 23 months at most, either way.")
        file_clock.move(data.now)
        return _read(file_clock)


def _read(clock: FileClock) -> ClockOut:
    return ClockOut(now=clock.now().astimezone(WARSAW), offset=clock.offset().total_seconds())
