"""In the grace of a renewal that failed drivers are checked behind a closed panel (R6, R12b)."""

from datetime import timedelta

import pytest

from prawko.billing.jobs import close_ended_subscriptions
from prawko.testing.fakes import withheld
from prawko.verifications.expiring_documents import tell_of_expiring_documents
from prawko.verifications.jobs import reconcile
from prawko.verifications.stale_results import tell_of_stale_results
from stored import look

pytestmark = pytest.mark.anyio

NUMBER = "AA000001"
GRACE = timedelta(days=3)


@pytest.fixture
async def acme(anna, worker, fleet, clock):
    """Anna's company with a checked driver; its paid period ends in an hour, with a mandate."""
    await anna.adds(NUMBER)
    await fleet.admin.execute(
        "UPDATE subscription SET is_trial = false, end_date = $1, checked_until = $2,"
        " mandate_id = uuidv7()",
        clock.now() + timedelta(hours=1), clock.now() + timedelta(hours=1) + GRACE,
    )  # fmt: skip
    return anna


async def kinds(logins) -> list[str]:
    return [row["kind"] for row in await look(logins, "SELECT kind FROM notice ORDER BY id")]


@pytest.mark.parametrize("written", [True, False], ids=["written", "not written yet"])
async def test_checks_and_alerts_go_on_behind_the_closed_panel(
    acme, worker, check, clock, register, logins, written
) -> None:
    await check()
    clock.forward(days=1)
    if written:
        await close_ended_subscriptions(worker)
    register.says[NUMBER] = withheld(NUMBER)

    report = await check()
    await tell_of_stale_results(worker)

    assert report.planned == 1
    assert await kinds(logins) == ["grace_started"] * written + ["withheld"]
    assert (await acme.get("/api/subscription")).json()["status"] == "expired"
    refused = await acme.post(
        "/api/drivers", {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA000002"}
    )
    assert refused.json()["error"] == "subscription_required"
    [driver] = (await acme.get("/api/drivers?verifications=1")).json()
    assert (driver["status"], driver["staleSince"]) == ("invalid", None)
    summary = (await acme.get("/api/checks/summary")).json()
    assert (summary["checkingStopped"], summary["staleCount"]) == (False, 0)


async def test_the_grace_over_nobody_is_checked_and_results_are_stale(
    acme, worker, check, clock, register, logins
) -> None:
    await check()
    clock.forward(days=3, hours=1, minutes=10)
    await close_ended_subscriptions(worker)
    register.asked.clear()

    await reconcile(worker)
    assert (await check()).planned == 0
    await tell_of_stale_results(worker)
    await tell_of_stale_results(worker)

    assert register.asked == []
    assert await kinds(logins) == ["checking_stopped"]
    [notice] = await look(logins, "SELECT params->>'since' AS since FROM notice")
    [row] = await look(logins, "SELECT checked_until FROM subscription")
    assert notice["since"] == row["checked_until"].isoformat().replace("+00:00", "Z")
    [driver] = (await acme.get("/api/drivers?verifications=1")).json()
    assert driver["staleSince"] is not None
    assert (await acme.get("/api/checks/summary")).json()["checkingStopped"] is True


@pytest.mark.parametrize("closed", ["inactive", "cancelled"])
async def test_what_somebody_closed_has_no_grace(acme, fleet, check, clock, register, closed):
    await fleet.admin.execute("UPDATE subscription SET status = $1", closed)
    clock.forward(hours=2)

    assert (await check()).planned == 0
    assert (await acme.get("/api/checks/summary")).json()["checkingStopped"] is True


async def test_documents_that_expire_are_told_in_the_grace(
    acme, fleet, worker, check, clock, logins
) -> None:
    await check()
    clock.forward(days=1)
    await close_ended_subscriptions(worker)
    await check()
    near = (clock.now() + timedelta(days=30)).date()
    await fleet.admin.execute(
        "UPDATE driver SET latest = jsonb_set(latest::jsonb, '{expiryDate}',"
        " to_jsonb($1::text))::json", near.isoformat(),
    )  # fmt: skip
    clock.set(clock.now().replace(hour=10) + timedelta(days=1))

    await tell_of_expiring_documents(worker)

    assert "expiring" in await kinds(logins)


async def test_who_pays_after_the_grace_is_checked_before_results_are_called_stale(
    acme, worker, fleet, check, clock, logins
) -> None:
    await check()
    clock.forward(days=5)
    await close_ended_subscriptions(worker)
    await tell_of_stale_results(worker)
    assert await kinds(logins) == ["checking_stopped"]
    await fleet.admin.execute(
        "UPDATE subscription SET status = 'active', end_date = $1, checked_until = $1",
        clock.now() + timedelta(days=30),
    )
    await fleet.admin.execute(
        "INSERT INTO subscription_history (tenant_id, id, subscription_id, changed_at,"
        " old_status, new_status) SELECT tenant_id, uuidv7(), id, $1, 'expired', 'active'"
        " FROM subscription", clock.now(),
    )  # fmt: skip

    await tell_of_stale_results(worker)
    assert await kinds(logins) == ["checking_stopped"]

    clock.forward(hours=2)
    await tell_of_stale_results(worker)
    assert await kinds(logins) == ["checking_stopped", "results_stale"], "nobody came to check"
