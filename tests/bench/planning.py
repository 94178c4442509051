"""Benchmark of planning a day of a million drivers, and of the periodic jobs afterwards."""

import argparse
import asyncio
import os
import time

from tests.bench import product
from tests.bench.daily_product import noon_clock
from tests.bench.population import insert_population
from tests.bench.table import Figure, at_most, median, print_table

from prawko.apps.composition_root import create_context
from prawko.kit.bootstrap import close_context
from prawko.kit.work.queue import RecordingQueue
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.jobs import reconcile_runs
from prawko.verifications.monitoring import check_health
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin

PER_COMPANY = 50


async def measure(servers, logins, drivers: int) -> None:
    """Plan a day, then run the periodic jobs when every driver has been checked."""
    admin = await insert_population(servers, logins, drivers, PER_COMPANY)
    variables = {
        **os.environ,
        **product.product_variables(servers, logins),
        "DATABASE_URL": logins.worker,
        "REGISTER": "fake",
        "MAIL_CHANNEL": "recording",
    }
    fakes = fake_plugin(FakeRegister(), RecordingChannel())
    clock, queue = noon_clock(1), RecordingQueue()
    context = create_context(variables, extra_plugins={"fakes": fakes}, clock=clock, queue=queue)
    started = time.perf_counter()
    planned = await plan_run(context.database, clock.now())
    seconds = time.perf_counter() - started
    assert planned == drivers, planned
    await admin.execute("UPDATE check_item SET state = 'done'")
    await admin.execute("VACUUM ANALYZE check_item")
    reconcile_seconds, health_seconds = [], []
    for _ in range(5):
        reconcile_seconds.append(await _timed(reconcile_runs(context)))
        health_seconds.append(await _timed(check_health(context)))
    await close_context(context)
    await admin.close()
    print_table(
        f"planning {drivers:,} drivers of {drivers // PER_COMPANY:,} companies",
        [
            at_most("planned in", seconds, 30 * drivers / 1_000_000, ".1f", " s"),
            Figure("reconciler, each minute, nothing due", f"{median(reconcile_seconds):.2f} s"),
            Figure("health checks, each minute", f"{median(health_seconds):.2f} s"),
        ],
    )


async def _timed(work) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


def run(*, small: bool = False) -> None:
    with product.create_database() as (servers, logins):
        asyncio.run(measure(servers, logins, 50_000 if small else 1_000_000))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    run(small=parser.parse_args().small)
