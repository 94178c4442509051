"""Expiry: access ends at the end date, and a job saves it once (docs/rules.md R3, R4, R5)."""

import asyncio

import pytest

from prawko.billing import jobs
from prawko.billing.expiry import close_ended_subscription
from prawko.billing.jobs import expire_ended_subscriptions
from prawko.billing.repository import find_ended
from support.database import count_rows, fetch_rows, insert_subscription

pytestmark = pytest.mark.anyio

JAN = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123456"}
HISTORY = "SELECT * FROM subscription_history WHERE old_status IS NOT NULL ORDER BY changed_at"


async def subscription_status(person) -> str:
    return (await person.get("/api/subscription")).json()["status"]


async def test_access_ends_at_the_end_date_before_any_job_has_run(anna, clock, logins) -> None:
    end = (await anna.get("/api/subscription")).json()["endDate"]
    clock.forward(days=6, hours=22)
    assert (await anna.post("/api/drivers", JAN)).status_code == 201

    clock.forward(hours=3)  # the night of a clock change included
    answer = await anna.post("/api/drivers", {**JAN, "licenseNumber": "AA123457"})

    assert answer.status_code == 403
    assert answer.json() == {
        "error": "subscription_required",
        "message": "Wymagana aktywna subskrypcja.",
    }
    subscription = (await anna.get("/api/subscription")).json()
    assert subscription["status"] == "expired"
    assert subscription["trial"]["ended"] is True
    assert subscription["trial"]["endDate"] == end
    assert (await fetch_rows(logins, "SELECT status FROM subscription"))[0]["status"] == "active"


async def test_the_end_of_a_trial_is_saved_once_however_often_the_job_runs(
    anna, worker, clock, logins
) -> None:
    before = (await fetch_rows(logins, "SELECT * FROM subscription"))[0]
    clock.forward(days=8)

    for _ in range(3):
        await expire_ended_subscriptions(worker)

    (subscription,) = await fetch_rows(logins, "SELECT * FROM subscription")
    (change,) = await fetch_rows(logins, HISTORY)
    (company,) = await fetch_rows(logins, "SELECT * FROM tenant")
    assert subscription["status"] == "expired"
    assert subscription["end_date"] == before["end_date"]
    assert (change["old_status"], change["new_status"]) == ("active", "expired")
    assert change["old_end_date"] == change["new_end_date"] == before["end_date"]
    assert change["subscription_id"] == before["id"]
    assert change["note"] == "Bezpłatny okres próbny dobiegł końca"
    assert company["trial_ended"] is True
    assert await subscription_status(anna) == "expired"


async def test_concurrent_workers_save_the_end_once(anna, celina, worker, clock, logins) -> None:
    clock.forward(days=8)

    await asyncio.gather(*(expire_ended_subscriptions(worker) for _ in range(4)))

    assert len(await fetch_rows(logins, HISTORY)) == 2
    assert {await subscription_status(anna), await subscription_status(celina)} == {"expired"}


async def test_before_the_end_the_job_changes_nothing(anna, worker, clock, logins) -> None:
    clock.forward(days=6)

    await expire_ended_subscriptions(worker)

    assert await fetch_rows(logins, HISTORY) == []
    assert await subscription_status(anna) == "active"


async def test_a_subscription_the_customer_cancelled_ends_as_cancelled(
    anna, worker, clock, logins
) -> None:
    await insert_subscription(anna, worker, driver_limit=20, cancelled=True)
    clock.forward(days=31)

    await expire_ended_subscriptions(worker)

    changes = await fetch_rows(logins, HISTORY)
    assert {change["new_status"] for change in changes} == {"expired", "cancelled"}
    assert "Koniec dostępu po anulowaniu subskrypcji" in {change["note"] for change in changes}
    assert await subscription_status(anna) == "cancelled"


@pytest.mark.parametrize("status", ["inactive", "cancelled", "trial", "expired"])
async def test_a_status_other_than_active_does_not_expire(
    anna, worker, clock, logins, status
) -> None:
    await insert_subscription(anna, worker, status=status)
    clock.forward(days=31)

    await expire_ended_subscriptions(worker)

    assert len(await fetch_rows(logins, HISTORY)) == 1  # the trial's
    assert await subscription_status(anna) == status


async def test_a_failure_in_one_company_does_not_keep_others_from_expiring(
    anna, celina, worker, clock, logins, monkeypatch
) -> None:
    clock.forward(days=8)
    failing_id = await anna.tenant_id(worker)

    async def fail_for_one(session, context, subscription_id):
        if session.tenant_id == failing_id:
            raise RuntimeError("a bug")
        return await close_ended_subscription(session, context, subscription_id)

    monkeypatch.setattr(jobs, "close_ended_subscription", fail_for_one)
    await expire_ended_subscriptions(worker)
    (written,) = await fetch_rows(
        logins, "SELECT tenant_id FROM subscription WHERE status = 'expired'"
    )
    monkeypatch.undo()
    await expire_ended_subscriptions(worker)

    assert written["tenant_id"] != failing_id
    assert await count_rows(logins, "subscription_history") == 4


async def test_a_subscription_extended_meanwhile_does_not_expire(anna, worker, clock) -> None:
    clock.forward(days=8)
    tenant_id = await anna.tenant_id(worker)
    async with worker.database.planner() as planner:
        due = await find_ended(planner, clock.now())
    clock.forward(days=-8)
    async with worker.database.tenant(tenant_id) as session:
        expired = await close_ended_subscription(session, worker, due[0][1])

    assert expired is False
    assert await subscription_status(anna) == "active"
