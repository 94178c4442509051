"""Who leased an item asks about it; who lost it writes nothing."""

import asyncio
from datetime import timedelta

import pytest

from prawko.base.clock import machine_now, warsaw_day
from prawko.testing.fakes import answer, withheld
from prawko.verifications import service
from prawko.verifications.answers import kept
from prawko.verifications.jobs import forget_days
from prawko.verifications.leases import give_back, lease
from prawko.verifications.outcome import outcome_of
from prawko.verifications.planning import plan
from prawko.verifications.questions import Answered, Asked
from prawko.verifications.recording import record
from prawko.verifications.service import ManualCheck

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"


@pytest.fixture
def day(clock):
    return warsaw_day(clock.now())


@pytest.fixture
def planned(fleet, worker, clock, day):
    """Add drivers and plan them."""

    async def add(*licences):
        await fleet.add(list(licences), clock.now())
        return await plan(worker.database, day, day - timedelta(days=1), clock.now())

    return add


@pytest.fixture
def leased(worker, clock, day):
    return lambda most=100: lease(worker.database, day, clock.now(), most)


def answered(question, clock, said):
    asked = Asked(
        tenant_id=question.tenant_id,
        driver_id=question.driver_id,
        document_no=question.document_no,
        query=question.query,
        at=clock.now(),
    )
    return Answered(question, asked, said)


async def leases_run_out(fleet):
    await fleet.admin.execute("UPDATE check_item SET lease_until = now() - interval '1 second'")


async def test_nobody_gets_an_item_that_somebody_has(planned, leased):
    await planned(*(f"AA{index:06d}" for index in range(50)))
    batches = await asyncio.gather(*(leased(20) for _ in range(4)))
    ids = [question.driver_id for batch in batches for question in batch]
    assert len(ids) == len(set(ids)) == 50
    assert await leased() == []


async def test_a_lease_that_ran_out_is_taken_and_its_late_answer_counts_for_nothing(
    planned, leased, fleet, worker, clock, day
):
    await planned(NUMBER)
    [stalled] = await leased()
    await leases_run_out(fleet)
    [taken] = await leased()
    assert taken.fence > stalled.fence

    late = await record(worker, day, [answered(stalled, clock, withheld(NUMBER))])
    assert (late.outcomes.total(), late.notices) == (0, 0)
    assert await fleet.statuses() == {NUMBER: "unknown"}
    assert (await fleet.items())[NUMBER]["lease_until"] is not None, "the other's lease stands"

    await give_back(worker.database, [stalled])
    assert await leased() == [], "what was lost cannot be given back"
    await record(worker, day, [answered(taken, clock, answer(NUMBER))])
    assert await fleet.statuses() == {NUMBER: "valid"}


async def test_an_answer_is_recorded_once(planned, leased, fleet, worker, clock, day):
    await planned(NUMBER)
    [question] = await leased()
    said = answered(question, clock, withheld(NUMBER))
    first, second = await record(worker, day, [said]), await record(worker, day, [said])
    assert (first.notices, second.notices) == (1, 0)
    assert (first.outcomes.total(), second.outcomes.total()) == (1, 0)
    assert (await fleet.fates())[NUMBER]["verifications"] == 1


async def test_planning_at_once_and_again_makes_one_item_each(planned, fleet, worker, clock, day):
    await fleet.add([f"AA{index:06d}" for index in range(40)], clock.now(), companies=4)
    counts = await asyncio.gather(
        *(plan(worker.database, day, day - timedelta(days=1), clock.now()) for _ in range(4))
    )
    assert sum(counts) == 40
    assert await planned() == 0
    assert await fleet.value("SELECT count(*) FROM check_item") == 40
    assert await fleet.value("SELECT planned FROM check_run") == 40


async def test_what_is_done_is_not_planned_again(planned, leased, fleet, worker, clock, day):
    await planned(NUMBER)
    [question] = await leased()
    await record(worker, day, [answered(question, clock, answer(NUMBER))])
    assert await planned() == 0
    assert await leased() == []
    assert (await fleet.items())[NUMBER]["state"] == "done"


async def test_a_company_that_is_deleted_meanwhile_leaves_nothing_due(
    planned, leased, fleet, worker, clock, day
):
    await planned(NUMBER, "BB000001")
    [first, _] = questions = await leased()
    await give_back(worker.database, [questions[1]])
    await fleet.admin.execute("DELETE FROM tenant")
    recorded = await record(worker, day, [answered(first, clock, withheld(NUMBER))])
    assert recorded.notices == 0
    assert await leased() == []
    states = await fleet.admin.fetch("SELECT state FROM check_item")
    assert [row["state"] for row in states] == ["gone", "gone"]


async def test_one_answer_that_two_write_at_once_is_kept_once(
    planned, leased, fleet, worker, clock, day, monkeypatch
):
    """A run and a check by hand get the first answer of a driver together."""

    async def nobody_signed_out(session, identity):
        pass

    monkeypatch.setattr(service, "refuse_revoked", nobody_signed_out)
    await planned(NUMBER)
    [question] = await leased()
    said = answered(question, clock, answer(NUMBER))
    by_hand = ManualCheck(worker)
    await asyncio.gather(
        record(worker, day, [said]),
        *(by_hand._write(None, answered(question, clock, answer(NUMBER)).asked, said.answer)
          for _ in range(3)),
    )  # fmt: skip
    assert (await fleet.fates())[NUMBER]["verifications"] == 4
    assert await fleet.value("SELECT count(*) FROM register_answer") == 1


async def test_what_a_check_leaves_behind(planned, leased, fleet, worker, clock, day):
    await planned(NUMBER)
    [question] = await leased()
    said = answered(question, clock, withheld(NUMBER))
    await record(worker, day, [said])

    [answer_row] = await fleet.admin.fetch("SELECT * FROM register_answer")
    [verification] = await fleet.admin.fetch("SELECT * FROM verification")
    [driver] = await fleet.admin.fetch("SELECT * FROM driver")
    [run] = await fleet.admin.fetch("SELECT * FROM check_run")
    item = (await fleet.items())[NUMBER]
    keeps = kept(said.answer)
    assert answer_row["hash"] == keeps.hash
    opened = worker.vault.answers.open(
        answer_row["key_id"], answer_row["raw"], about=answer_row["id"].bytes
    )
    assert opened == keeps.canonical
    assert (answer_row["license_number"], answer_row["last_name"]) == (NUMBER, "Kowalski")
    assert (verification["answer_id"], verification["outcome"]) == (answer_row["id"], "invalid")
    assert verification["verified_at"] == driver["verified_at"] == said.asked.at
    assert (driver["status"], driver["asked_at"]) == ("invalid", said.asked.began)
    assert (item["state"], item["outcome"], item["attempts"]) == ("done", "invalid", 1)
    assert (run["planned"], run["done"], run["invalid"]) == (1, 1, 1)
    assert outcome_of(said.answer, said.asked.day) == "invalid"


async def test_items_of_a_fortnight_ago_are_forgotten(planned, fleet, worker, clock):
    await planned(NUMBER)
    clock.forward(days=14)
    await forget_days(worker)
    assert await fleet.value("SELECT count(*) FROM check_item") == 1
    clock.forward(days=1)
    await forget_days(worker)
    assert await fleet.value("SELECT count(*) FROM check_item") == 0


async def test_nothing_is_asked_that_could_not_be_answered_within_its_lease(
    planned, fleet, check, register, worker, monkeypatch
):
    await planned(NUMBER)
    monkeypatch.setattr(
        "prawko.verifications.pump.lease",
        lambda *about, **_: lease(*about, lasting=timedelta(seconds=1)),
    )
    running = asyncio.create_task(check())
    await asyncio.sleep(1)
    worker.stopping.say()
    await running
    assert register.asked == []
    leased_until = (await fleet.items())[NUMBER]["lease_until"]
    assert leased_until is None or leased_until < machine_now()
