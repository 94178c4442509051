"""A new document is checked at once, after the commit that brought it."""

import asyncio
import dataclasses
import time
from collections import Counter

import msgspec
import pytest

from prawko.kit.clock import warsaw_date
from prawko.kit.deliveries.jobs import deliver_pending
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.daily.worker import CheckWorker
from prawko.verifications.jobs import check_new_documents, run_check_worker
from prawko_tenants.ids import TenantId
from prawko_testing.fakes import licence_answer
from support.database import fetch_rows
from support.fleet import licence_numbers
from support.people import Person
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

RATE = 40.0  # queries a second: 32 of a run, 8 of manual and first checks
RUN = licence_numbers(320)


@pytest.fixture
def paced_worker(worker):
    """The worker, at a rate of the register that a real one might allow."""
    settings = msgspec.structs.replace(worker.settings, register_rate=RATE)
    return dataclasses.replace(worker, settings=settings)


async def check_as_enqueued(worker, enqueued_jobs) -> None:
    """Run the jobs for first checks that were enqueued, and those that they enqueue."""
    await wait_until(lambda: enqueued_jobs)  # a response may overtake its callbacks
    jobs = {job.name: job for job in (check_new_documents, run_check_worker)}
    for name, arguments in enqueued_jobs:  # grows in the loop
        if name in jobs:
            await jobs[name].run_payload(worker, {key: str(arguments[key]) for key in arguments})
    enqueued_jobs.clear()


async def tenant_of_first_check(enqueued_jobs) -> TenantId:
    """Return whose first check was enqueued last."""
    await wait_until(lambda: enqueued_jobs)  # a response may overtake its callbacks
    return next(
        arguments["tenant_id"]
        for name, arguments in reversed(enqueued_jobs)
        if name == check_new_documents.name
    )


async def statuses(person: Person) -> dict[str, str]:
    drivers = (await person.get("/api/drivers")).json()
    return {
        driver["licenseNumber"]: (driver["verifications"] or [{"status": "unknown"}])[0]["status"]
        for driver in drivers
    }


async def test_an_added_and_an_edited_driver_are_checked_without_the_reconciler(
    anna, worker, enqueued_jobs
) -> None:
    driver_id = await anna.add_driver("AA123456")
    await check_as_enqueued(worker, enqueued_jobs)
    assert await statuses(anna) == {"AA123456": "valid"}

    await anna.put(f"/api/drivers/{driver_id}", {"licenseNumber": "AA123459"})
    assert await statuses(anna) == {"AA123459": "unknown"}
    await check_as_enqueued(worker, enqueued_jobs)
    assert (await statuses(anna))["AA123459"] != "unknown"


async def test_a_new_driver_who_needs_attention_is_shown_and_notified_without_the_reconciler(
    anna, worker, enqueued_jobs, register
) -> None:
    register.answers["AA123456"] = licence_answer("AA123456", "Unieważniony", code="DICT003_UNI")
    await anna.add_driver("AA123456")
    tenant_id = await tenant_of_first_check(enqueued_jobs)
    enqueued_jobs.clear()

    # The worker of the run ends first: the item is leased.
    await check_new_documents(worker, tenant_id=tenant_id)

    assert await statuses(anna) == {"AA123456": "attention"}
    assert deliver_pending.name in [name for name, _ in enqueued_jobs]


async def test_other_needed_categories_enqueue_no_check(anna, enqueued_jobs) -> None:
    driver_id = await anna.add_driver("AA123456")
    await tenant_of_first_check(enqueued_jobs)
    enqueued_jobs.clear()

    changed = await anna.put(f"/api/drivers/{driver_id}", {"neededCategories": ["C"]})

    assert changed.json()["neededCategories"] == ["C"]
    await anna.put(f"/api/drivers/{driver_id}", {"lastName": "Nowak"})  # is another document
    await tenant_of_first_check(enqueued_jobs)
    assert [name for name, _ in enqueued_jobs] == [check_new_documents.name]


async def test_the_job_names_one_company_and_plans_no_other(
    anna, celina, worker, enqueued_jobs, logins
) -> None:
    await celina.add_driver("BB123456")
    await wait_until(lambda: enqueued_jobs)
    enqueued_jobs.clear()
    await anna.add_driver("AA123456")

    await check_as_enqueued(worker, enqueued_jobs)

    assert await statuses(anna) == {"AA123456": "valid"}
    assert await statuses(celina) == {"BB123456": "unknown"}
    [run] = await fetch_rows(logins, "SELECT day, planned, started_at FROM check_run")
    assert (run["day"], run["planned"]) == (warsaw_date(worker.clock.now()), 1)
    assert run["started_at"] is None  # of the day's check it is no part yet


async def test_a_refused_driver_enqueues_nothing(anna, enqueued_jobs) -> None:
    await anna.add_driver("AA123456")
    await wait_until(lambda: enqueued_jobs)
    enqueued_jobs.clear()

    refused = await anna.post(
        "/api/drivers",
        {"firstName": "Jan", "lastName": "Kowalski", "licenseNumber": "AA123456"},
    )

    assert refused.status_code == 409
    assert enqueued_jobs == []


async def test_a_repeated_job_plans_nothing_twice(anna, worker, enqueued_jobs, logins) -> None:
    await anna.add_driver("AA123456")
    await wait_until(lambda: enqueued_jobs)
    [(_, arguments)] = [one for one in enqueued_jobs if one[0] == check_new_documents.name]

    for _ in range(3):
        await check_new_documents(worker, **arguments)

    [run] = await fetch_rows(logins, "SELECT planned FROM check_run")
    assert run["planned"] == 1
    assert [name for name, _ in enqueued_jobs].count(run_check_worker.name) == 1


async def test_a_driver_added_during_a_run_does_not_wait_for_its_turn(
    anna, fleet, clock, register, paced_worker, enqueued_jobs
) -> None:
    await fleet.add_companies(RUN, clock.now(), companies=5)
    await plan_run(paced_worker.database, clock.now())
    day = warsaw_date(clock.now())
    run = asyncio.gather(
        *(
            CheckWorker(paced_worker, day).run(lambda: False, wait_when_blocked=True)
            for _ in range(3)
        )
    )
    await wait_until(lambda: len(register.queries) > 20)

    asked_before = len(register.queries)
    await anna.add_driver("ZZ123456")
    await check_new_documents(paced_worker, tenant_id=await tenant_of_first_check(enqueued_jobs))

    assert await statuses(anna) == {"ZZ123456": "valid"}
    # In three seconds the run sends a hundred queries, and as many fewer as the machine is busier.
    assert len(register.queries) - asked_before < 3 * 32
    await run
    asked = Counter(query.number for query in register.queries)
    assert asked == Counter([*RUN, "ZZ123456"])
    [check_run] = await fleet.admin.fetch("SELECT planned, done FROM check_run")
    assert tuple(check_run) == (len(RUN) + 1, len(RUN) + 1)


async def test_first_checks_keep_the_rate_of_manual_checks_and_leave_them_room(
    anna, celina, register, paced_worker, enqueued_jobs
) -> None:
    imported = [f"AA{number:06}" for number in range(5)]
    celinas = await celina.add_driver("BB123456")
    for number in imported:
        await anna.add_driver(number)
    tenant_id = await tenant_of_first_check(enqueued_jobs)
    slow = msgspec.structs.replace(paced_worker.settings, register_rate=5.0)  # one first check a s
    slow_worker = dataclasses.replace(paced_worker, settings=slow)
    asked_at = []
    register.before_answer = lambda query: asked_at.append((query.number, time.monotonic()))

    first_checks = asyncio.create_task(check_new_documents(slow_worker, tenant_id=tenant_id))
    await wait_until(lambda: asked_at)
    manual = await celina.post(f"/api/drivers/{celinas}/verify")

    assert manual.status_code == 200
    assert asked_at[-1][0] == "BB123456"
    assert len(asked_at) < 1 + len(imported)  # it got in between
    await first_checks
    times = [at for number, at in asked_at if number in imported]
    assert len(times) == len(imported)
    # A busy machine only makes queries later.
    assert all(at >= times[0] + number - 0.5 for number, at in enumerate(times))
