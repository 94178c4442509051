"""The end of a subscription: access closes by itself, a job writes it down once (R3, R4, R5)."""

import asyncio

import pytest

from prawko.billing.jobs import close_ended_subscriptions
from prawko.billing.repository import ended
from prawko.billing.service import SubscriptionService
from stored import count, look, subscribed

pytestmark = pytest.mark.anyio

JAN = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123456"}
HISTORY = "SELECT * FROM subscription_history WHERE old_status IS NOT NULL ORDER BY changed_at"


async def status_of(person) -> str:
    return (await person.get("/api/subscription")).json()["status"]


async def test_access_closes_at_the_end_itself_before_any_job_has_run(anna, clock, logins) -> None:
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
    assert (await look(logins, "SELECT status FROM subscription"))[0]["status"] == "active"


async def test_the_end_of_a_trial_is_written_once_however_often_the_job_runs(
    anna, worker, clock, logins
) -> None:
    before = (await look(logins, "SELECT * FROM subscription"))[0]
    clock.forward(days=8)

    for _ in range(3):
        await close_ended_subscriptions(worker)

    (subscription,) = await look(logins, "SELECT * FROM subscription")
    (change,) = await look(logins, HISTORY)
    (company,) = await look(logins, "SELECT * FROM tenant")
    assert subscription["status"] == "expired"
    assert subscription["end_date"] == before["end_date"]
    assert (change["old_status"], change["new_status"]) == ("active", "expired")
    assert change["old_end_date"] == change["new_end_date"] == before["end_date"]
    assert change["subscription_id"] == before["id"]
    assert change["note"] == "Bezpłatny okres próbny dobiegł końca"
    assert company["trial_ended"] is True
    assert await status_of(anna) == "expired"


async def test_two_workers_at_once_write_the_end_once(anna, celina, worker, clock, logins) -> None:
    clock.forward(days=8)

    await asyncio.gather(*(close_ended_subscriptions(worker) for _ in range(4)))

    assert len(await look(logins, HISTORY)) == 2
    assert {await status_of(anna), await status_of(celina)} == {"expired"}


async def test_before_the_end_the_job_writes_nothing(anna, worker, clock, logins) -> None:
    clock.forward(days=6)

    await close_ended_subscriptions(worker)

    assert await look(logins, HISTORY) == []
    assert await status_of(anna) == "active"


async def test_what_the_customer_had_cancelled_ends_as_cancelled(
    anna, worker, clock, logins
) -> None:
    await subscribed(anna, worker, driver_limit=20, cancelled=True)
    clock.forward(days=31)

    await close_ended_subscriptions(worker)

    changes = await look(logins, HISTORY)
    assert {change["new_status"] for change in changes} == {"expired", "cancelled"}
    assert "Koniec dostępu po anulowaniu subskrypcji" in {change["note"] for change in changes}
    assert await status_of(anna) == "cancelled"


@pytest.mark.parametrize("status", ["inactive", "cancelled", "trial", "expired"])
async def test_what_somebody_decided_otherwise_stays(anna, worker, clock, logins, status) -> None:
    await subscribed(anna, worker, status=status)
    clock.forward(days=31)

    await close_ended_subscriptions(worker)

    assert len(await look(logins, HISTORY)) == 1  # the trial's
    assert await status_of(anna) == status


async def test_one_companys_trouble_does_not_keep_the_others_open(
    anna, celina, worker, clock, logins, monkeypatch
) -> None:
    clock.forward(days=8)
    troubled = await anna.tenant_id(worker)
    close = SubscriptionService.close_ended

    async def stumble(self, subscription_id):
        if self._session.tenant_id == troubled:
            raise RuntimeError("a bug")
        return await close(self, subscription_id)

    monkeypatch.setattr(SubscriptionService, "close_ended", stumble)
    await close_ended_subscriptions(worker)
    (written,) = await look(logins, "SELECT tenant_id FROM subscription WHERE status = 'expired'")
    monkeypatch.undo()
    await close_ended_subscriptions(worker)

    assert written["tenant_id"] != troubled
    assert await count(logins, "subscription_history") == 4


async def test_a_subscription_lengthened_meanwhile_is_not_closed(anna, worker, clock) -> None:
    clock.forward(days=8)
    tenant_id = await anna.tenant_id(worker)
    async with worker.database.planner() as planner:
        due = await ended(planner, clock.now())
    clock.forward(days=-8)
    async with worker.database.tenant(tenant_id) as session:
        closed = await SubscriptionService(session, worker).close_ended(due[0][1])

    assert closed is False
    assert await status_of(anna) == "active"
