"""What pumps owe each other, the register and the queue."""

import asyncio
import dataclasses
import time
from datetime import datetime, timedelta
from functools import partial

import msgspec
import pytest

from prawko.base.clock import WARSAW, warsaw_day
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.verifications.daily import run_daily_check
from prawko.verifications.jobs import PUMPS, pump, reconcile
from prawko.verifications.planning import plan_missing
from prawko.verifications.pump import Pump
from prawko.verifications.recording import record
from prawko.worker.wiring import correspondence

pytestmark = pytest.mark.anyio


def licences(many):
    return [f"AA{index:06d}" for index in range(many)]


def wall(clock, hour, minute=0):
    """Tomorrow at this time in Warsaw."""
    day = warsaw_day(clock.now()) + timedelta(days=1)
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=WARSAW)


def asked(register):
    return [query.number for query in register.asked]


class Bell:
    """Notes the worker's rings instead of sending them, and answers them when told."""

    def __init__(self, worker):
        self._worker = worker
        self.rings = []

    async def put(self, _, job, **arguments):
        self.rings.append((job, arguments))

    def pumps(self):
        """The pumps rung for since the last call."""
        rings, self.rings = self.rings, []
        return [(job, arguments) for job, arguments in rings if job is pump]

    async def tick(self):
        """What one minute does: the reconciler, and whoever it rings for."""
        await reconcile(self._worker)
        while pumps := self.pumps():
            await asyncio.gather(*(job(self._worker, **given) for job, given in pumps))


@pytest.fixture
def bell(worker, monkeypatch):
    bell = Bell(worker)

    async def put(queue, job, **arguments):
        await bell.put(queue, job, **arguments)

    monkeypatch.setattr(type(worker.queue), "put", put)
    return bell


@pytest.fixture
def unhurried(worker):
    """The worker at the pace that the ministry announced."""
    settings = msgspec.structs.replace(worker.settings, register_rate=10.0)
    return dataclasses.replace(worker, settings=settings)


async def test_slow_answers_do_not_halve_the_pace(fleet, clock, register, unhurried):
    """At eight a second, with every sixteenth answer taking three seconds."""
    slow = set(licences(64)[::16])
    register.before_answer = lambda query: asyncio.sleep(3 if query.number in slow else 0)
    await fleet.add(licences(64), clock.now())
    began = time.monotonic()
    report = await run_daily_check(unhurried, correspondence(unhurried))
    assert report.done == 64
    assert time.monotonic() - began < 64 / 8 + 3 + 3


async def test_the_allowed_pace_is_kept_by_all_pumps_together(fleet, clock, register, unhurried):
    await fleet.add(licences(40), clock.now(), companies=5)
    times = []
    register.before_answer = lambda query: times.append(time.monotonic())
    await asyncio.gather(*(run_daily_check(unhurried, correspondence(unhurried)) for _ in range(2)))
    assert len(times) == 40
    # Eight a second; the window allows for a late start of one question on a busy machine.
    crowded = max(sum(at <= later < at + 2 for later in times) for at in times)
    assert crowded <= 2 * 8 + 4


async def test_rings_do_not_pile_up_pumps(fleet, clock, register, worker, bell, monkeypatch):
    clock.set(wall(clock, 12))
    await fleet.add(licences(40), clock.now())
    await reconcile(worker)
    assert len(bell.pumps()) == PUMPS
    register.before_answer = lambda query: asyncio.sleep(0.3)
    at_once = []

    async def watched(pump, *args, run=Pump.run, **options):
        at_once.append(1 + (at_once[-1] if at_once else 0))
        try:
            await run(pump, *args, **options)
        finally:
            at_once.append(at_once[-1] - 1)

    monkeypatch.setattr(Pump, "run", watched)
    day = warsaw_day(clock.now())
    await asyncio.gather(*(pump(worker, day=day) for _ in range(30 * PUMPS)))

    assert max(at_once) == PUMPS
    assert await fleet.value("SELECT count(*) FROM verification") == 40


async def test_answers_wait_for_the_database_and_are_not_asked_for_again(
    fleet, register, unhurried, monkeypatch
):
    await fleet.add(licences(30), unhurried.clock.now(), companies=3)
    failures = iter([ConnectionResetError, ConnectionResetError])

    async def away_twice(*args):
        for failure in failures:
            raise failure
        return await record(*args)

    monkeypatch.setattr("prawko.verifications.pump.record", away_twice)
    report = await run_daily_check(unhurried, correspondence(unhurried))
    assert (report.done, report.unresolved, len(register.asked)) == (30, 0, 30)


async def test_a_bug_in_recording_is_not_tried_again(fleet, register, unhurried, monkeypatch):
    tries = []

    async def broken(*args):
        tries.append(args)
        raise ZeroDivisionError

    monkeypatch.setattr("prawko.verifications.pump.record", broken)
    await fleet.add(licences(1), unhurried.clock.now())
    with pytest.raises(ExceptionGroup):
        await run_daily_check(unhurried, correspondence(unhurried))
    assert len(tries) == 1
    assert await fleet.statuses() == {"AA000000": "unknown"}


async def test_the_minutes_pass_finds_whoever_lacks_an_item(fleet, clock, register, worker, bell):
    """A newcomer, a changed document, and a company that pays only after six."""
    clock.set(wall(clock, 12))
    await fleet.add(["AA000001", "AA000002"], clock.now())
    await bell.tick()
    missing = partial(plan_missing, worker.database, warsaw_day(clock.now()))

    async def planned():
        yesterday = warsaw_day(clock.now()) - timedelta(days=1)
        return await missing(yesterday, clock.now(), newcomers_only=False)

    assert await planned() == 0
    await fleet.add(["AA000003"], clock.now())
    assert (await planned(), await planned()) == (1, 0)
    await fleet.admin.execute(
        "UPDATE driver SET document_no = 2, status = 'unknown' WHERE license_number = 'AA000001'"
    )
    assert (await planned(), await planned()) == (1, 0)
    await fleet.admin.execute("UPDATE subscription SET status = 'inactive'")
    await fleet.add(["AA000004"], clock.now())
    await fleet.admin.execute(
        "UPDATE driver SET status = 'valid' WHERE license_number = 'AA000004'"
    )
    assert (await planned(), await planned()) == (1, 0)


async def test_a_full_outage_is_noticed_after_a_few_questions(fleet, clock, register, unhurried):
    register.otherwise = lambda query: RegisterError(RegisterTrouble.UNAVAILABLE, "down")
    await fleet.add(licences(300), clock.now())
    report = await run_daily_check(unhurried, correspondence(unhurried))
    assert (report.done, report.unresolved) == (0, 300)
    assert len(register.asked) <= 40
    assert await fleet.value("SELECT breaker FROM register_pace WHERE lane = 'run'") == "open"
    assert await fleet.value("SELECT count(*) FROM check_item WHERE lease_until > now()") == 0


async def test_during_the_pause_of_a_429_nothing_is_asked(fleet, clock, register, unhurried):
    register.otherwise = lambda query: RegisterError(
        RegisterTrouble.THROTTLED, "slow down", retry_after=60
    )
    await fleet.add(licences(100), clock.now())
    await run_daily_check(unhurried, correspondence(unhurried))
    count = len(register.asked)
    assert count <= 20
    await run_daily_check(unhurried, correspondence(unhurried))
    assert len(register.asked) == count


async def test_a_newcomer_of_the_night_does_not_wait_for_six(fleet, clock, register, bell):
    clock.set(wall(clock, 12))
    await fleet.add(["AA000001"], clock.now())
    await bell.tick()
    clock.forward(hours=13.5)
    await fleet.add(["AA000002"], clock.now())
    await bell.tick()
    assert asked(register) == ["AA000001", "AA000002"]
    clock.forward(hours=8)
    await bell.tick()
    assert asked(register)[2:] == ["AA000001"]
    assert await fleet.value("SELECT count(*) FROM check_run") == 2


async def test_a_newcomer_of_the_night_does_not_take_yesterdays_run_over(
    fleet, clock, register, bell
):
    clock.set(wall(clock, 23, 50))
    await fleet.add(["AA000001"], clock.now())
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")
    register.says["AA000001"] = RegisterError(RegisterTrouble.GARBAGE, "no")
    await bell.tick()
    clock.forward(minutes=20)
    await fleet.add(["AA000002"], clock.now())
    await bell.tick()
    clock.forward(hours=1)
    register.says.clear()
    await bell.tick()
    assert (await fleet.fates())["AA000001"]["verifications"] == 1
    clock.forward(hours=6)
    await bell.tick()
    assert (await fleet.fates())["AA000001"]["verifications"] == 2


async def test_what_waits_for_its_next_try_is_due_by_the_products_clock(
    fleet, clock, register, check
):
    await fleet.add(["AA000001"], clock.now())
    register.says["AA000001"] = RegisterError(RegisterTrouble.REFUSED, "malformed")
    assert (await check()).unresolved == 1
    register.says.clear()
    clock.forward(minutes=59)
    assert (await check()).done == 0
    clock.forward(minutes=2)
    assert (await check()).done == 1


async def test_a_clock_set_back_makes_nobody_wait_for_it(fleet, clock, register, check):
    clock.set(wall(clock, 18))
    await fleet.add(["AA000001"], clock.now() - timedelta(days=1))
    register.says["AA000001"] = RegisterError(RegisterTrouble.REFUSED, "malformed")
    assert (await check()).unresolved == 1
    register.says.clear()
    clock.forward(hours=-5)
    assert (await check()).done == 1


async def test_a_check_missed_at_six_is_caught_up_by_the_first_tick(fleet, clock, register, bell):
    clock.set(wall(clock, 12))
    await fleet.add(["AA000001"], clock.now())
    await bell.tick()
    clock.forward(hours=17, minutes=59)
    await bell.tick()
    assert len(register.asked) == 1
    clock.forward(hours=9)
    await bell.tick()
    assert len(register.asked) == 2


async def test_a_register_that_comes_back_is_asked_about_all(fleet, clock, register, bell):
    clock.set(wall(clock, 12))
    await fleet.add(licences(30), clock.now())
    register.says[licences(30)[7]] = RegisterError(RegisterTrouble.GARBAGE, "?")
    await bell.tick()
    assert await fleet.value("SELECT count(*) FROM verification") == 29
    register.says.clear()
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 second'")
    await bell.tick()
    assert await fleet.value("SELECT count(*) FROM verification") == 30
    assert await fleet.value("SELECT state FROM check_run") == "finished"


async def test_a_run_over_midnight_goes_on_until_the_next_one_takes_over(
    fleet, clock, register, worker, bell
):
    clock.set(wall(clock, 23, 59))
    await fleet.add(["AA000001", "AA000002"], clock.now())
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")  # no newcomers
    register.says["AA000001"] = register.says["AA000002"] = RegisterError(
        RegisterTrouble.GARBAGE, "no"
    )
    await bell.tick()
    yesterday = warsaw_day(clock.now())
    clock.forward(hours=1)
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 second'")
    del register.says["AA000001"]
    await bell.tick()  # whoever lost the rings of midnight
    assert (await fleet.fates())["AA000001"]["verifications"] == 1
    assert await fleet.value("SELECT done FROM check_run") == 1

    clock.forward(hours=6)
    await reconcile(worker)
    assert await fleet.value("SELECT state FROM check_run WHERE day = $1", yesterday) == "finished"
    register.says.clear()
    asked_before = len(register.asked)
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 second'")
    await pump(worker, day=yesterday)
    assert len(register.asked) == asked_before, "they are asked about as due today"
    await pump(worker, day=warsaw_day(clock.now()))
    done = await fleet.admin.fetch("SELECT done FROM check_run ORDER BY day")
    assert [run["done"] for run in done] == [1, 2]
