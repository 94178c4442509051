"""Operators are told what is wrong with the check: one mail for one incident."""

from datetime import datetime, timedelta

import pytest

from persons import deliver
from prawko.base.clock import WARSAW, warsaw_day
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.verifications.jobs import reconcile
from prawko.verifications.watchman import watch

pytestmark = pytest.mark.anyio

OPERATOR = "operator@prawko.test"
DOWN = RegisterError(RegisterTrouble.UNAVAILABLE, "down")


@pytest.fixture
def at(clock):
    """Go to this time of tomorrow's day in Warsaw, and on from there."""

    def go(hour, minute=0, days=1):
        day = warsaw_day(clock.now()) + timedelta(days=days)
        clock.set(datetime(day.year, day.month, day.day, hour, minute, tzinfo=WARSAW))

    return go


@pytest.fixture
def silent(worker, monkeypatch):
    async def put(*_, **__):
        """Nobody answers rings."""

    monkeypatch.setattr(type(worker.queue), "put", put)


@pytest.fixture
def look(worker, fleet, mailbox, silent):
    """Watch twice, send the mails, and return the open incidents and the number of mails."""

    async def watch_and_count():
        for _ in range(2):
            await watch(worker)
            await deliver(worker)
        rows = await fleet.admin.fetch(
            "SELECT kind FROM incident WHERE closed_at IS NULL ORDER BY kind"
        )
        return [row["kind"] for row in rows], len(mailbox.to(OPERATOR))

    return watch_and_count


async def test_a_night_without_trouble_is_no_news(fleet, check, clock, at, look):
    at(6)
    await fleet.add(["AA000001"], clock.now())
    await check()
    clock.forward(minutes=31)
    assert await look() == ([], 0)


async def test_a_run_that_never_began_is_late_until_the_next_day(fleet, clock, at, look, check):
    at(6, 29)
    await fleet.add(["AA000001"], clock.now())
    assert await look() == ([], 0)
    clock.forward(minutes=1, seconds=1)
    assert await look() == (["run_late"], 1)
    at(5)
    assert await look() == ([], 1)
    at(6, 31, days=0)
    await check()
    assert await look() == ([], 1)


async def test_newcomers_and_second_looks_are_no_incident(
    fleet, check, clock, at, look, register, worker, silent
):
    at(6)
    await fleet.add(["AA000001", "AA000002"], clock.now())
    await check()
    at(6)
    register.says["AA000001"] = None
    await check()
    at(12, days=0)
    await fleet.add(["BB000001"], clock.now())
    await reconcile(worker)
    assert await fleet.value("SELECT count(*) FROM check_item WHERE state = 'due'") == 2
    assert await look() == ([], 0)


async def test_an_outage_past_the_half_hour_is_told_and_its_end_closes_it(
    fleet, check, clock, at, look, register
):
    at(6)
    licences = [f"AA{index:06d}" for index in range(30)]
    await fleet.add(licences, clock.now())
    register.says = dict.fromkeys(licences, DOWN)
    await check()
    clock.forward(minutes=31)
    kinds, mails = await look()
    assert kinds == ["register_down", "run_unresolved"]
    assert mails == 2

    register.says = {}
    await fleet.forget_trouble()
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 hour'")
    await check()
    assert await look() == ([], 2)


async def test_one_in_a_hundred_is_no_incident(fleet, check, clock, at, look, register):
    at(6)
    licences = [f"AA{index:06d}" for index in range(100)]
    await fleet.add(licences, clock.now())
    register.says = {licences[0]: DOWN}
    await check()
    clock.forward(minutes=31)
    assert await look() == ([], 0)


async def test_a_refused_account_is_one_mail(fleet, check, clock, at, look, register):
    at(6)
    await fleet.add(["AA000001"], clock.now())
    register.says["AA000001"] = AccountError("certificate of Kowalski refused")
    await check()
    kinds, mails = await look()
    assert (kinds, mails) == (["register_refused"], 1)
    assert "Kowalski" not in await fleet.value("SELECT detail FROM incident")


async def test_a_certificate_is_told_of_sixty_forty_five_and_thirty_five_days_before_its_end(
    clock, look, register
):
    end = clock.now() + timedelta(days=61)
    register.certificate_ends = lambda: end
    seen = []
    for _ in range(61):
        kinds, mails = await look()
        assert kinds in ([], ["certificate_ends"])
        seen.append(mails)
        clock.forward(days=1)
    told_at = [61 - day for day in range(1, 61) if seen[day] > seen[day - 1]]
    assert told_at == [60, 45, 35]
