"""Checks in the grace period of a failed renewal, while the panel is closed (rules R6, R12b)."""

from datetime import datetime, timedelta

import pytest

from prawko.billing.jobs import expire_ended_subscriptions
from prawko.console.subscription_change import OperatorChange, change_subscription
from prawko.kit.clock import warsaw_date
from prawko.verifications.expiry_reminders import send_document_expiry_reminders
from prawko.verifications.jobs import reconcile_runs
from prawko.verifications.stale_results import notify_stale_results
from prawko_testing.fakes import withheld_licence
from support.database import fetch_rows

pytestmark = pytest.mark.anyio

NUMBER = "AA000001"
GRACE_PERIOD = timedelta(days=3)


@pytest.fixture
async def acme(anna, worker, fleet, clock):
    """Anna's company with one driver; its paid period ends in an hour, with a mandate."""
    await anna.add_driver(NUMBER)
    await fleet.admin.execute(
        "UPDATE subscription SET is_trial = false, end_date = $1, monitored_until = $2,"
        " mandate_id = uuidv7()",
        clock.now() + timedelta(hours=1), clock.now() + timedelta(hours=1) + GRACE_PERIOD,
    )  # fmt: skip
    return anna


async def notice_kinds(logins) -> list[str]:
    return [row["kind"] for row in await fetch_rows(logins, "SELECT kind FROM notice ORDER BY id")]


@pytest.mark.parametrize("is_expired", [True, False], ids=["expired", "not expired yet"])
async def test_checks_and_notices_continue_while_the_panel_is_closed(
    acme, worker, run_check, clock, register, logins, is_expired
) -> None:
    await run_check()
    clock.forward(days=1)
    if is_expired:
        await expire_ended_subscriptions(worker)
    register.answers[NUMBER] = withheld_licence(NUMBER)

    report = await run_check()
    await notify_stale_results(worker)

    assert report.planned == 1
    assert await notice_kinds(logins) == ["grace_started"] * is_expired + ["withheld"]
    assert (await acme.get("/api/subscription")).json()["status"] == "expired"
    refused = await acme.post(
        "/api/drivers", {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA000002"}
    )
    assert refused.json()["error"] == "subscription_required"
    [driver] = (await acme.get("/api/drivers?verifications=1")).json()
    assert (driver["status"], driver["staleSince"]) == ("invalid", None)
    summary = (await acme.get("/api/checks/summary")).json()
    assert (summary["checkingStopped"], summary["staleCount"]) == (False, 0)


async def test_drivers_are_not_checked_after_the_grace_period_and_results_are_stale(
    acme, worker, run_check, clock, register, logins
) -> None:
    await run_check()
    clock.forward(days=3, hours=1, minutes=10)
    await expire_ended_subscriptions(worker)
    register.queries.clear()

    await reconcile_runs(worker)
    assert (await run_check()).planned == 0
    await notify_stale_results(worker)
    await notify_stale_results(worker)

    assert register.queries == []
    assert await notice_kinds(logins) == ["checking_stopped"]
    [notice] = await fetch_rows(logins, "SELECT params->>'since' AS since FROM notice")
    [row] = await fetch_rows(logins, "SELECT monitored_until FROM subscription")
    assert notice["since"] == row["monitored_until"].isoformat().replace("+00:00", "Z")
    [driver] = (await acme.get("/api/drivers?verifications=1")).json()
    assert driver["staleSince"] is not None
    assert (await acme.get("/api/checks/summary")).json()["checkingStopped"] is True


@pytest.mark.parametrize("closing_status", ["inactive", "cancelled"])
async def test_a_closed_subscription_has_no_grace_period(
    acme, fleet, run_check, clock, register, closing_status
):
    await fleet.admin.execute("UPDATE subscription SET status = $1", closing_status)
    clock.forward(hours=2)

    assert (await run_check()).planned == 0
    assert (await acme.get("/api/checks/summary")).json()["checkingStopped"] is True


async def test_expiry_reminders_are_sent_in_the_grace_period(
    acme, fleet, worker, run_check, clock, logins
) -> None:
    await run_check()
    clock.forward(days=1)
    await expire_ended_subscriptions(worker)
    await run_check()
    expiry_date = (clock.now() + timedelta(days=30)).date()
    await fleet.admin.execute(
        "UPDATE driver SET latest = jsonb_set(latest::jsonb, '{expiryDate}',"
        " to_jsonb($1::text))::json", expiry_date.isoformat(),
    )  # fmt: skip
    clock.set(clock.now().replace(hour=10) + timedelta(days=1))

    await send_document_expiry_reminders(worker)

    assert "expiring" in await notice_kinds(logins)


async def test_a_reactivated_company_is_checked_before_results_are_called_stale(
    acme, worker, fleet, run_check, clock, logins
) -> None:
    await run_check()
    clock.forward(days=5)
    await expire_ended_subscriptions(worker)
    await notify_stale_results(worker)
    assert await notice_kinds(logins) == ["checking_stopped"]
    await fleet.admin.execute(
        "UPDATE subscription SET status = 'active', end_date = $1, monitored_until = $1",
        clock.now() + timedelta(days=30),
    )
    await fleet.admin.execute(
        "INSERT INTO subscription_history (tenant_id, id, subscription_id, changed_at,"
        " old_status, new_status) SELECT tenant_id, uuidv7(), id, $1, 'expired', 'active'"
        " FROM subscription", clock.now(),
    )  # fmt: skip

    await notify_stale_results(worker)
    assert await notice_kinds(logins) == ["checking_stopped"]

    clock.forward(hours=2)
    await notify_stale_results(worker)
    assert await notice_kinds(logins) == ["checking_stopped", "results_stale"], (
        "no check has run since"
    )


async def test_a_cancellation_in_the_grace_period_dates_the_end_of_checks_by_itself(
    acme, worker, run_check, clock, logins
) -> None:
    """Not by the end of the period before it: drivers were checked until the cancellation."""
    await run_check()
    clock.forward(days=2)
    await expire_ended_subscriptions(worker)
    assert (await run_check()).planned == 1
    assert (await acme.post("/api/subscription/cancel")).status_code == 200
    cancelled_at = clock.now()
    assert (await run_check()).planned == 0
    clock.forward(minutes=10)

    await notify_stale_results(worker)

    assert await notice_kinds(logins) == ["grace_started", "checking_stopped"]
    [notice] = await fetch_rows(
        logins, "SELECT params->>'since' AS since FROM notice WHERE kind = 'checking_stopped'"
    )
    since = datetime.fromisoformat(notice["since"])
    assert timedelta() <= cancelled_at - since < timedelta(minutes=1)


async def test_an_end_that_an_operator_sets_in_the_past_stops_checks_at_that_moment(
    acme, fleet, worker, run_check, clock, logins
) -> None:
    await fleet.admin.execute("UPDATE subscription SET mandate_id = NULL")
    clock.forward(minutes=30)
    change = OperatorChange(end_day=warsaw_date(clock.now()) - timedelta(days=2))
    async with worker.database.tenant(await acme.tenant_id(worker)) as session:
        await change_subscription(session, change, clock.now())
    changed_at = clock.now()

    await expire_ended_subscriptions(worker)

    [notice] = await fetch_rows(logins, "SELECT kind, params->>'ends_at' AS ended_at FROM notice")
    assert notice["kind"] == "subscription_ended"
    ended_at = datetime.fromisoformat(notice["ended_at"])
    assert timedelta() <= changed_at - ended_at < timedelta(minutes=1)
