"""The worker as it is run, on a day of the product's clock: python -m ... DAYS_FROM_TODAY.

Two things differ from a worker in service. Its messages go to a carrier that takes each at
once; and the timetable is off, so that no other periodic job falls into the measured time.
Pumps are rung for as the reconciler rings for them.
"""

import asyncio
import os
import sys
from datetime import timedelta

from tests.bench.carrier import carriers

from prawko.base.clock import WARSAW, machine_now, warsaw_day
from prawko.base.start import open_tools
from prawko.testing.fakes import MovableClock
from prawko.verifications.jobs import PUMPS, pump
from prawko.worker.main import work


def noon(days: int) -> MovableClock:
    """The product's clock at noon in Warsaw, so many days from today."""
    clock = MovableClock()
    now = machine_now().astimezone(WARSAW)
    clock.set(now.replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=days))
    return clock


async def main(days: int) -> None:
    clock = noon(days)
    tools = open_tools(os.environ, extra_plugins=carriers(), clock=clock)
    working = asyncio.create_task(work(tools))
    await asyncio.sleep(1)  # the listener is at the queue
    print("ready", flush=True)
    for _ in range(PUMPS):
        await tools.queue.put(pump, day=warsaw_day(clock.now()))
    await working


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
