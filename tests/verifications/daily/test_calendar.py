"""Four hundred days: exactly one run for every Warsaw date."""

import random
from datetime import date, datetime, time, timedelta

import pytest

from prawko.kit.clock import WARSAW
from prawko.verifications.jobs import prune_check_items, reconcile_runs, run_check_worker

pytestmark = pytest.mark.anyio

FIRST_DAY = date(2027, 2, 1)  # followed by two clock changes, a year's end and a 29 February
DAYS = [FIRST_DAY + timedelta(days=index) for index in range(400)]
CLOCK_CHANGES = {date(2027, 3, 28), date(2027, 10, 31)}
NUMBERS = ["AA000001", "AA000002"]
SEED = 20270201


@pytest.fixture
async def distant_partitions(fleet):
    """Allow partitions for days that are years away from the system clock."""
    for name in ("ensure_month", "ensure_day"):
        definition = await fleet.fetch_value(
            "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = $1", name
        )
        await fleet.admin.execute(definition.replace("> 731", "> 100000"))


@pytest.fixture
def run_minute(worker, queue):
    """Run one tick of the scheduler: the reconciler and one of the worker jobs it enqueues."""
    jobs = []

    async def record(job, **arguments):
        jobs.append((job, arguments))

    queue.handler = record

    async def run():
        await reconcile_runs(worker)
        days = {arguments["day"] for job, arguments in jobs if job is run_check_worker}
        jobs.clear()
        for day in days:
            await run_check_worker(worker, day=day)

    return run


def worker_times(day, rng):
    """Times of a day at which a tick runs: at night, and after the start of the check."""
    night = [datetime.combine(day, time(5, 59), WARSAW)] if rng.random() < 0.1 else []
    if day in CLOCK_CHANGES:  # the repeated or skipped hour
        half_past_two = datetime.combine(day, time(2, 30), WARSAW)
        night = [half_past_two.replace(fold=0), half_past_two.replace(fold=1), *night]
    delay = timedelta(minutes=rng.choice([0, 0, 0, rng.randrange(17 * 60)]))
    return night, datetime.combine(day, time(6), WARSAW) + delay


async def test_every_day_in_warsaw_has_one_run(
    fleet, clock, register, worker, run_minute, distant_partitions
):
    rng = random.Random(SEED)
    print("seed", SEED)  # noqa: T201
    clock.set(datetime.combine(FIRST_DAY, time(6), WARSAW) - timedelta(days=2))
    await fleet.add_companies(NUMBERS, clock.now(), companies=2)
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")  # no new drivers
    for day in DAYS:
        night, morning = worker_times(day, rng)
        queries = len(register.queries)
        for moment in night:
            clock.set(moment)
            await run_minute()
        assert len(register.queries) == queries, day
        for _ in range(1 + (rng.random() < 0.1)):
            clock.set(morning)
            await run_minute()
        assert len(register.queries) == queries + len(NUMBERS), day
        if day.day % 10 == 0:
            await prune_check_items(worker)

    runs = await fleet.admin.fetch("SELECT day, planned, done, state FROM check_run ORDER BY day")
    assert [run["day"] for run in runs] == DAYS
    assert {tuple(run)[1:] for run in runs} == {(len(NUMBERS), len(NUMBERS), "finished")}
    checked = await fleet.admin.fetch(
        "SELECT driver_id, count(*) AS all, count(DISTINCT"
        " (verified_at AT TIME ZONE 'Europe/Warsaw')::date) AS days"
        " FROM verification GROUP BY driver_id"
    )
    assert [(row["all"], row["days"]) for row in checked] == [(400, 400)] * len(NUMBERS)
