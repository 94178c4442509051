"""The product's worker on a day of its clock: python -m tests.bench.daily_product DAYS_FROM_TODAY.

It differs from a worker in production in two things: its channel accepts each message at once, and
the schedule is off, so that no other periodic job runs in the measured time. The check workers are
enqueued as the reconciler does it.
"""

import asyncio
import os
import sys
from datetime import timedelta

from tests.bench.null_channel import channel_plugins

from prawko.apps.composition_root import create_context
from prawko.apps.worker.main import run_until_terminated
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.verifications.daily.worker import MAX_WORKERS
from prawko.verifications.jobs import run_check_worker
from prawko_testing.clock import MovableClock


def noon_clock(days: int) -> MovableClock:
    """Return a clock at noon in Warsaw, so many days from today."""
    clock = MovableClock()
    now = utc_now().astimezone(WARSAW)
    clock.set(now.replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=days))
    return clock


async def main(days: int) -> None:
    clock = noon_clock(days)
    context = create_context(os.environ, extra_plugins=channel_plugins(), clock=clock)
    running = asyncio.create_task(run_until_terminated(context))
    await asyncio.sleep(1)  # until the worker takes jobs
    print("ready", flush=True)
    for _ in range(MAX_WORKERS):
        await context.queue.enqueue(run_check_worker, day=warsaw_date(clock.now()))
    await running


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
