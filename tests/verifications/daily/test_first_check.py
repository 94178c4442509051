"""A new document is checked at once, after the commit that brought it."""

import pytest

from prawko.base.clock import warsaw_date
from prawko.verifications.jobs import check_new_documents, run_check_worker
from support.database import fetch_rows
from support.people import Person
from support.waiting import wait_until

pytestmark = pytest.mark.anyio


async def check_as_enqueued(worker, enqueued_jobs) -> None:
    """Run the jobs for first checks that were enqueued, and those that they enqueue."""
    await wait_until(lambda: enqueued_jobs)  # a response may overtake its callbacks
    jobs = {job.name: job for job in (check_new_documents, run_check_worker)}
    for name, arguments in enqueued_jobs:  # grows in the loop
        if name in jobs:
            await jobs[name].run_payload(worker, {key: str(arguments[key]) for key in arguments})
    enqueued_jobs.clear()


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
