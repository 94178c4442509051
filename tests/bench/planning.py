"""Planning a day of a million drivers, and the reconciler's pass when nothing is due."""

import argparse
import asyncio
import os
import time
from datetime import timedelta

from tests.bench import product
from tests.bench.crowd import crowd
from tests.bench.daily_ours import noon
from tests.bench.table import Figure, at_most, middle, show

from prawko.base.clock import warsaw_day
from prawko.base.queue import SilentQueue
from prawko.base.start import close_tools, open_tools
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from prawko.verifications.jobs import reconcile
from prawko.verifications.planning import plan
from prawko.verifications.watchman import watch

PER_COMPANY = 50


async def measure(servers, logins, drivers: int) -> None:
    """Plan, then pass over a day on which everybody has been asked."""
    admin = await crowd(servers, logins, drivers, PER_COMPANY)
    variables = {
        **os.environ,
        **product.variables(servers, logins),
        "DATABASE_URL": logins.worker,
        "REGISTER": "fake",
        "MAIL_CHANNEL": "recording",
    }
    fakes = fake_plugin(FakeRegister(), RecordingChannel())
    clock, queue = noon(1), SilentQueue()
    tools = open_tools(variables, extra_plugins={"fakes": fakes}, clock=clock, queue=queue)
    day = warsaw_day(clock.now())
    started = time.perf_counter()
    planned = await plan(tools.database, day, day - timedelta(days=1), clock.now())
    spent = time.perf_counter() - started
    assert planned == drivers, planned
    await admin.execute("UPDATE check_item SET state = 'done'")
    await admin.execute("VACUUM ANALYZE check_item")
    passes, looks = [], []
    for _ in range(5):
        passes.append(await _timed(reconcile(tools)))
        looks.append(await _timed(watch(tools)))
    await close_tools(tools)
    await admin.close()
    show(
        f"planning {drivers:,} drivers of {drivers // PER_COMPANY:,} companies",
        [
            at_most("planned in", spent, 30 * drivers / 1_000_000, ".1f", " s"),
            Figure("reconciler's pass each minute, nothing due", f"{middle(passes):.2f} s"),
            Figure("watchman's pass each minute", f"{middle(looks):.2f} s"),
        ],
    )


async def _timed(work) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


def run(*, small: bool = False) -> None:
    with product.database() as (servers, logins):
        asyncio.run(measure(servers, logins, 50_000 if small else 1_000_000))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    run(small=parser.parse_args().small)
