"""Leases of check items: exclusive, fenced, and released when they expire."""

import asyncio
import dataclasses
from datetime import timedelta

import msgspec
import pytest

from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.work import lease_renewal
from prawko.verifications import manual_check
from prawko.verifications.answers import normalise_answer
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.daily.recorder import record_answers
from prawko.verifications.daily.repository import claim_items, release_items, renew_leases
from prawko.verifications.daily.worker import CheckWorker
from prawko.verifications.jobs import prune_check_items
from prawko.verifications.manual_check import ManualCheck
from prawko.verifications.outcome import outcome_of
from prawko.verifications.register.check_tasks import AnsweredTask, SentQuery
from prawko_testing.fakes import licence_answer, withheld_licence

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"


@pytest.fixture
def day(clock):
    return warsaw_date(clock.now())


@pytest.fixture
def plan_drivers(fleet, worker, clock, day):
    """Add drivers and plan their items."""

    async def add(*licences):
        await fleet.add_companies(list(licences), clock.now())
        return await plan_run(worker.database, clock.now())

    return add


@pytest.fixture
def take_lease(worker, clock, day):
    return lambda limit=100: claim_items(
        worker.database, day, clock.now(), limit, duration=timedelta(seconds=30)
    )


def make_answer(task, clock, answer):
    sent_query = SentQuery(
        tenant_id=task.tenant_id,
        driver_id=task.driver_id,
        document_version=task.document_version,
        query=task.query,
        asked_at=clock.now(),
    )
    return AnsweredTask(task, sent_query, answer)


async def expire_leases(fleet):
    await fleet.admin.execute("UPDATE check_item SET lease_until = now() - interval '1 second'")


async def test_an_item_is_leased_to_one_worker_only(plan_drivers, take_lease):
    await plan_drivers(*(f"AA{index:06d}" for index in range(50)))
    batches = await asyncio.gather(*(take_lease(20) for _ in range(4)))
    ids = [task.driver_id for batch in batches for task in batch]
    assert len(ids) == len(set(ids)) == 50
    assert await take_lease() == []


async def test_an_expired_lease_is_taken_over_and_its_late_answer_is_discarded(
    plan_drivers, take_lease, fleet, worker, clock, day
):
    await plan_drivers(NUMBER)
    [stalled] = await take_lease()
    await expire_leases(fleet)
    [item] = await take_lease()
    assert item.fence > stalled.fence

    recorded = await record_answers(
        worker, day, [make_answer(stalled, clock, withheld_licence(NUMBER))]
    )
    assert (recorded.outcomes.total(), recorded.notices) == (0, 0)
    assert await fleet.statuses() == {NUMBER: "unknown"}
    assert (await fleet.latest_items())[NUMBER]["lease_until"] is not None, (
        "the other worker's lease is unchanged"
    )

    await release_items(worker.database, day, clock.now(), [stalled])
    assert await take_lease() == [], "a lost lease cannot be released"
    await record_answers(worker, day, [make_answer(item, clock, licence_answer(NUMBER))])
    assert await fleet.statuses() == {NUMBER: "valid"}


async def test_items_that_lapsed_are_claimed_last_one_at_a_time_and_put_aside(
    plan_drivers, take_lease, fleet, worker, clock, day
):
    await plan_drivers(NUMBER, "AA000001", "AA000002")
    held = {task.driver_id for task in await take_lease(2)}
    lapse = "UPDATE check_item SET lease_until = now() - interval '1 s' WHERE fence > 0"
    await fleet.admin.execute(lapse)
    [[free], [first], [second], nothing] = [await take_lease() for _ in range(4)]
    assert ({first.driver_id, second.driver_id}, nothing) == (held, [])

    put_aside = "SELECT count(*) FROM check_item WHERE error_kind = 'worker_ended'"
    in_an_hour = clock.now() + timedelta(minutes=59)
    assert await fleet.fetch_value(f"{put_aside} AND next_try_at > $1", in_an_hour) == 2
    await fleet.admin.execute(lapse)
    assert [task.driver_id for task in await take_lease()] == [free.driver_id]
    assert await take_lease() == [], "the others ended their process alone, and wait"
    await release_items(worker.database, day, clock.now(), [first, second])
    assert await fleet.fetch_value(put_aside) == 1, "the free one that lapsed, which is still held"
    assert [len(await take_lease()) for _ in range(3)] == [1, 1, 0], "alone as before, and at once"


async def test_an_answer_is_recorded_once(plan_drivers, take_lease, fleet, worker, clock, day):
    await plan_drivers(NUMBER)
    [task] = await take_lease()
    answer = make_answer(task, clock, withheld_licence(NUMBER))
    first, second = (
        await record_answers(worker, day, [answer]),
        await record_answers(worker, day, [answer]),
    )
    assert (first.notices, second.notices) == (1, 0)
    assert (first.outcomes.total(), second.outcomes.total()) == (1, 0)
    assert (await fleet.driver_rows())[NUMBER]["verifications"] == 1


async def test_concurrent_and_repeated_planning_creates_one_item_per_driver(
    plan_drivers, fleet, worker, clock, day
):
    await fleet.add_companies([f"AA{index:06d}" for index in range(40)], clock.now(), companies=4)
    counts = await asyncio.gather(*(plan_run(worker.database, clock.now()) for _ in range(4)))
    assert sum(counts) == 40
    assert await plan_drivers() == 0
    assert await fleet.fetch_value("SELECT count(*) FROM check_item") == 40
    assert await fleet.fetch_value("SELECT planned FROM check_run") == 40


async def test_a_done_item_is_not_planned_again(
    plan_drivers, take_lease, fleet, worker, clock, day
):
    await plan_drivers(NUMBER)
    [task] = await take_lease()
    await record_answers(worker, day, [make_answer(task, clock, licence_answer(NUMBER))])
    assert await plan_drivers() == 0
    assert await take_lease() == []
    assert (await fleet.latest_items())[NUMBER]["state"] == "done"


async def test_a_company_deleted_meanwhile_leaves_no_due_items(
    plan_drivers, take_lease, fleet, worker, clock, day
):
    await plan_drivers(NUMBER, "BB000001")
    [first, _] = tasks = await take_lease()
    await release_items(worker.database, day, clock.now(), [tasks[1]])
    await fleet.admin.execute("DELETE FROM tenant")
    recorded = await record_answers(
        worker, day, [make_answer(first, clock, withheld_licence(NUMBER))]
    )
    assert recorded.notices == 0
    assert await take_lease() == []
    states = await fleet.admin.fetch("SELECT state FROM check_item")
    assert [row["state"] for row in states] == ["cancelled", "cancelled"]


async def test_an_answer_written_concurrently_is_stored_once(
    plan_drivers, take_lease, fleet, worker, clock, day, monkeypatch
):
    """A run and a manual check get the first answer of a driver at the same time."""

    async def allow_session(session, identity):
        pass

    monkeypatch.setattr(manual_check, "ensure_session_active", allow_session)
    await plan_drivers(NUMBER)
    [task] = await take_lease()
    answer = make_answer(task, clock, licence_answer(NUMBER))
    check = ManualCheck(worker)
    manual_queries = [make_answer(task, clock, answer.answer).sent_query for _ in range(3)]
    await asyncio.gather(
        record_answers(worker, day, [answer]),
        *(check._save_answer(None, query, answer.answer) for query in manual_queries),
    )
    assert (await fleet.driver_rows())[NUMBER]["verifications"] == 4
    assert await fleet.fetch_value("SELECT count(*) FROM register_answer") == 1


async def test_a_check_writes_answer_verification_driver_item_and_run(
    plan_drivers, take_lease, fleet, worker, clock, day
):
    await plan_drivers(NUMBER)
    [task] = await take_lease()
    answer = make_answer(task, clock, withheld_licence(NUMBER))
    await record_answers(worker, day, [answer])

    [answer_row] = await fleet.admin.fetch("SELECT * FROM register_answer")
    [verification] = await fleet.admin.fetch("SELECT * FROM verification")
    [driver] = await fleet.admin.fetch("SELECT * FROM driver")
    [run] = await fleet.admin.fetch("SELECT * FROM check_run")
    item = (await fleet.latest_items())[NUMBER]
    stored_answer = normalise_answer(answer.answer)
    assert answer_row["hash"] == stored_answer.hash
    plaintext = worker.key_ring.answer_cipher.decrypt(
        answer_row["key_id"], answer_row["raw"], associated_data=answer_row["id"].bytes
    )
    assert plaintext == stored_answer.canonical
    assert (answer_row["license_number"], answer_row["last_name"]) == (NUMBER, "Kowalski")
    assert (verification["answer_id"], verification["outcome"]) == (answer_row["id"], "invalid")
    assert verification["verified_at"] == driver["verified_at"] == answer.sent_query.asked_at
    assert (driver["status"], driver["asked_at_system"]) == (
        "invalid",
        answer.sent_query.asked_at_system,
    )
    assert (item["state"], item["outcome"], item["attempts"]) == ("done", "invalid", 1)
    assert (run["planned"], run["done"], run["invalid"]) == (1, 1, 1)
    assert outcome_of(answer.answer, answer.sent_query.day) == "invalid"


async def test_items_older_than_fourteen_days_are_dropped(plan_drivers, fleet, worker, clock):
    clock.forward(days=-15)  # the database drops no day that is not past by its own clock
    await plan_drivers(NUMBER)
    clock.forward(days=14)
    await prune_check_items(worker)
    assert await fleet.fetch_value("SELECT count(*) FROM check_item") == 1
    clock.forward(days=1)
    await prune_check_items(worker)
    assert await fleet.fetch_value("SELECT count(*) FROM check_item") == 0


async def test_no_query_is_sent_that_could_outlast_its_lease(
    plan_drivers, fleet, run_check, register, worker, monkeypatch
):
    await plan_drivers(NUMBER)
    monkeypatch.setattr(
        "prawko.verifications.daily.worker.claim_items",
        lambda *args, **_: claim_items(*args, duration=timedelta(seconds=1)),
    )
    running = asyncio.create_task(run_check())
    await asyncio.sleep(1)
    worker.shutdown.set()
    await running
    assert register.queries == []
    leased_until = (await fleet.latest_items())[NUMBER]["lease_until"]
    assert leased_until is None or leased_until < utc_now()


async def test_a_lease_of_a_wrong_clock_is_not_believed(plan_drivers, take_lease, fleet):
    await plan_drivers(NUMBER)
    await take_lease()
    assert await take_lease() == []
    await fleet.admin.execute("UPDATE check_item SET lease_until = now() + interval '2 hours'")

    assert len(await take_lease()) == 1


async def test_a_worker_renews_the_leases_of_a_slow_batch(
    plan_drivers, take_lease, fleet, worker, day, register, monkeypatch
):
    monkeypatch.setattr(lease_renewal, "RENEWAL_SECONDS", 0.1)
    monkeypatch.setattr("prawko.verifications.daily.worker.LEASE_MARGIN", timedelta(seconds=0.5))
    register.before_answer = lambda _: asyncio.sleep(0.4)
    settings = msgspec.structs.replace(
        worker.settings, register_deadline=0.5, register_max_concurrency=1
    )
    await plan_drivers(*(f"AA{index:06d}" for index in range(7)))

    check = CheckWorker(dataclasses.replace(worker, settings=settings), day)
    running = asyncio.create_task(check.run(lambda: False))
    await asyncio.sleep(2.0)
    assert await take_lease() == [], "it has lasted longer than the second and a quarter of a lease"
    await running

    assert set((await fleet.statuses()).values()) == {"valid"}
    assert len(register.queries) == 7
    assert await fleet.fetch_value("SELECT max(fence) FROM check_item") == 1


async def test_a_renewal_takes_back_no_lost_lease_and_leases_nothing_that_was_released(
    plan_drivers, take_lease, fleet, worker, clock, day
):
    await plan_drivers(NUMBER, "AA000001")
    tasks = await take_lease()
    await release_items(worker.database, day, clock.now(), tasks[:1])
    await fleet.admin.execute(
        "UPDATE check_item SET fence = fence + 1 WHERE driver_id = $1", tasks[1].driver_id
    )

    await renew_leases(worker.database, day, tasks, utc_now() + timedelta(minutes=1))

    rows = await fleet.admin.fetch("SELECT driver_id, lease_until FROM check_item")
    lease_ends = {row["driver_id"]: row["lease_until"] for row in rows}
    assert lease_ends == {tasks[0].driver_id: None, tasks[1].driver_id: tasks[1].lease_until}
