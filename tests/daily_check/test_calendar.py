"""Four hundred days: one run for every day in Warsaw, none doubled and none missing."""

import random
from datetime import date, datetime, time, timedelta

import pytest

from prawko.base.clock import WARSAW
from prawko.verifications.jobs import forget_days, pump, reconcile

pytestmark = pytest.mark.anyio

FIRST = date(2027, 2, 1)  # two clock changes, a year's end and a 29 February lie ahead
DAYS = [FIRST + timedelta(days=index) for index in range(400)]
CHANGES = {date(2027, 3, 28), date(2027, 10, 31)}
NUMBERS = ["AA000001", "AA000002"]
SEED = 20270201


@pytest.fixture
async def any_day(fleet):
    """Let partitions be made for days that are years away from the machine's."""
    for name in ("ensure_month", "ensure_day"):
        definition = await fleet.value(
            "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = $1", name
        )
        await fleet.admin.execute(definition.replace("> 731", "> 100000"))


@pytest.fixture
def minute(worker, monkeypatch):
    """What a worker does within a minute: the reconciler, and one of the pumps it rings for."""
    rung = []

    async def put(_, job, **given):
        rung.append((job, given))

    monkeypatch.setattr(type(worker.queue), "put", put)

    async def pass_by():
        await reconcile(worker)
        days = {given["day"] for job, given in rung if job is pump}
        rung.clear()
        for day in days:
            await pump(worker, day=day)

    return pass_by


def walls(day, rng):
    """Moments of a day on which a worker looks: the night, and the hour it can work again."""
    night = [datetime.combine(day, time(5, 59), WARSAW)] if rng.random() < 0.1 else []
    if day in CHANGES:  # the hour that comes twice, or never
        half_past_two = datetime.combine(day, time(2, 30), WARSAW)
        night = [half_past_two.replace(fold=0), half_past_two.replace(fold=1), *night]
    late = timedelta(minutes=rng.choice([0, 0, 0, rng.randrange(17 * 60)]))
    return night, datetime.combine(day, time(6), WARSAW) + late


async def test_every_day_in_warsaw_has_one_run(fleet, clock, register, worker, minute, any_day):
    rng = random.Random(SEED)
    print("seed", SEED)  # noqa: T201
    clock.set(datetime.combine(FIRST, time(6), WARSAW) - timedelta(days=2))
    await fleet.add(NUMBERS, clock.now(), companies=2)
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")  # no newcomers
    for day in DAYS:
        night, morning = walls(day, rng)
        asked = len(register.asked)
        for moment in night:
            clock.set(moment)
            await minute()
        assert len(register.asked) == asked, day
        for _ in range(1 + (rng.random() < 0.1)):
            clock.set(morning)
            await minute()
        assert len(register.asked) == asked + len(NUMBERS), day
        if day.day % 10 == 0:
            await forget_days(worker)

    runs = await fleet.admin.fetch("SELECT day, planned, done, state FROM check_run ORDER BY day")
    assert [run["day"] for run in runs] == DAYS
    assert {tuple(run)[1:] for run in runs} == {(len(NUMBERS), len(NUMBERS), "finished")}
    checked = await fleet.admin.fetch(
        "SELECT driver_id, count(*) AS all, count(DISTINCT"
        " (verified_at AT TIME ZONE 'Europe/Warsaw')::date) AS days"
        " FROM verification GROUP BY driver_id"
    )
    assert [(row["all"], row["days"]) for row in checked] == [(400, 400)] * len(NUMBERS)
