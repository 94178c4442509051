"""Notices about stale results and about the end of checks (docs/rules.md R12b)."""

from datetime import timedelta

import pytest

from prawko.billing.models import SubscriptionStatus
from prawko.console.subscription_change import OperatorChange, change_subscription
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import warsaw_date
from prawko.verifications import stale_results
from prawko.verifications.stale_results import notify_stale_results

pytestmark = pytest.mark.anyio

DOWN = RegisterError(RegisterErrorKind.UNAVAILABLE, "down")
A, B, C = "AA000001", "AA000002", "AA000003"


@pytest.fixture
def sent_notices(fleet, worker):
    """Run the job twice and return the kinds of all company notices, oldest first."""

    async def run():
        await notify_stale_results(worker)
        await notify_stale_results(worker)
        rows = await fleet.admin.fetch(
            "SELECT kind FROM notice WHERE driver_id IS NULL ORDER BY created_at"
        )
        return [row["kind"] for row in rows]

    return run


async def test_results_younger_than_48_hours_are_not_notified(
    fleet, run_check, clock, sent_notices
):
    await fleet.add_companies([A], clock.now())
    await run_check()
    clock.forward(hours=47, minutes=59)
    assert await sent_notices() == []


async def test_one_notice_per_stale_period_though_drivers_recover_one_by_one(
    fleet, run_check, clock, register, sent_notices
):
    clock.set(clock.now().replace(hour=10))  # an hour later is the same day
    await fleet.add_companies([A], clock.now())
    await run_check()
    clock.forward(hours=1)
    await fleet.admin.execute(
        "INSERT INTO driver (tenant_id, id, first_name, last_name, license_number, sort_key,"
        " created_at) SELECT tenant_id, uuidv7(), 'Ola', 'Nowak', n, 'nowak', $1"
        " FROM driver, unnest($2::text[]) AS n WHERE license_number = $3",
        clock.now(), [B, C], A,
    )  # fmt: skip
    await run_check()
    register.answers = {A: DOWN, B: DOWN, C: DOWN}
    clock.forward(hours=47, minutes=30)
    assert await sent_notices() == ["results_stale"]

    clock.forward(hours=1)  # now B and C are stale as well
    assert await sent_notices() == ["results_stale"]
    del register.answers[A]
    await fleet.clear_rate_limiter()
    await run_check()
    assert await sent_notices() == ["results_stale"], "it is the same stale period"
    del register.answers[B]
    clock.forward(minutes=31)
    await fleet.clear_rate_limiter()
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 minute'")
    await run_check()
    assert (await fleet.statuses()).keys() == {A, B, C}
    assert await sent_notices() == ["results_stale"]


async def test_the_next_stale_period_is_notified_again(fleet, run_check, clock, sent_notices):
    await fleet.add_companies([A], clock.now())
    await run_check()
    clock.forward(hours=49)
    assert await sent_notices() == ["results_stale"]
    await run_check()
    assert await sent_notices() == ["results_stale"]
    clock.forward(hours=49)
    assert await sent_notices() == ["results_stale"] * 2


async def test_drivers_beyond_the_limit_are_never_stale(fleet, run_check, clock, sent_notices):
    await fleet.add_companies([A, B], clock.now())
    await run_check()
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 1")
    clock.forward(hours=25)
    await run_check()
    clock.forward(hours=25)
    assert await sent_notices() == []


async def test_a_company_that_subscribed_again_is_checked_first(
    fleet, run_check, clock, sent_notices
):
    await fleet.add_companies([A], clock.now())
    await run_check()
    clock.forward(days=20)
    await fleet.admin.execute("UPDATE subscription SET created_at = $1", clock.now())
    assert await sent_notices() == []


async def test_each_end_of_checks_is_notified_once(fleet, run_check, clock, sent_notices):
    await fleet.add_companies([A], clock.now(), days=3)
    await run_check()
    clock.forward(days=2, hours=23)
    await run_check()
    clock.forward(hours=2)
    assert await sent_notices() == ["checking_stopped"]
    clock.forward(days=1)
    assert await sent_notices() == ["checking_stopped"]

    await fleet.admin.execute(
        "UPDATE subscription SET end_date = $1, monitored_until = $1", clock.now()
    )
    clock.forward(hours=1)
    assert await sent_notices() == ["checking_stopped"] * 2


async def test_a_company_without_drivers_is_not_notified(fleet, clock, sent_notices):
    await fleet.add_companies([], clock.now(), days=1)
    clock.forward(days=2)
    assert await sent_notices() == []


async def test_a_failing_company_does_not_stop_the_others(
    fleet, run_check, clock, sent_notices, monkeypatch
):
    await fleet.add_companies([A, B], clock.now(), companies=2)
    await run_check()
    clock.forward(hours=49)
    failing = await fleet.fetch_value("SELECT min(id::text)::uuid FROM tenant")
    publish = stale_results.publish_notices

    async def fail_for_one(session, tenant_id, *args, **options):
        if tenant_id == failing:
            raise RuntimeError("a bug")
        return await publish(session, tenant_id, *args, **options)

    monkeypatch.setattr(stale_results, "publish_notices", fail_for_one)
    assert await sent_notices() == ["results_stale"]
    monkeypatch.undo()
    assert await sent_notices() == ["results_stale"] * 2


async def test_a_driver_who_is_never_answered_hides_no_later_outage(
    fleet, run_check, clock, register, sent_notices
):
    clock.set(clock.now().replace(hour=10))
    await fleet.add_companies([A, B, C], clock.now())
    await run_check()
    register.answers = {A: RegisterError(RegisterErrorKind.INVALID_QUERY, "no such name")}
    for _ in range(5):
        clock.forward(days=1)
        await run_check()
        notices = await sent_notices()
    assert notices == ["results_stale"]

    register.answers |= {B: DOWN, C: DOWN}
    for _ in range(4):
        clock.forward(days=1)
        await fleet.clear_rate_limiter()
        await run_check()
        notices = await sent_notices()

    assert notices == ["results_stale"] * 2
    newest = "SELECT (params ->> 'drivers')::int FROM notice ORDER BY created_at DESC LIMIT 1"
    assert await fleet.fetch_value(newest) == 3


async def test_who_comes_within_the_limit_is_checked_first(fleet, run_check, clock, sent_notices):
    await fleet.add_companies([A, B], clock.now())
    await run_check()
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 1")
    for _ in range(3):
        clock.forward(days=1)
        await run_check()

    await fleet.admin.execute("UPDATE subscription SET driver_limit = 2")
    assert await sent_notices() == []
    await run_check()
    assert await sent_notices() == []


async def test_each_closing_by_an_operator_is_notified_with_its_time(
    fleet, run_check, clock, worker, sent_notices
):
    await fleet.add_companies([A], clock.now(), days=20)
    await run_check()
    tenant_id = await fleet.fetch_value("SELECT id FROM tenant")

    async def set_status(status):
        change = OperatorChange(status=SubscriptionStatus(status))
        async with worker.database.tenant(tenant_id) as session:
            await change_subscription(session, change, clock.now())

    closed = []
    for _ in range(2):
        clock.forward(days=2)
        closed.append(clock.now())
        await set_status("inactive")
        await sent_notices()
        clock.forward(days=1)
        await set_status("active")
        await run_check()
        await sent_notices()
    clock.forward(days=30)
    assert await sent_notices() == ["checking_stopped"] * 3

    since = "SELECT (params ->> 'since')::timestamptz FROM notice ORDER BY created_at"
    times = [row[0] for row in await fleet.admin.fetch(since)]
    end = await fleet.fetch_value("SELECT end_date FROM subscription")
    assert all(
        abs(notified - at) < timedelta(seconds=9)
        for notified, at in zip(times, [*closed, end], strict=True)
    )


async def test_a_closing_is_notified_once_though_the_end_is_changed_afterwards(
    fleet, run_check, clock, worker, sent_notices
):
    await fleet.add_companies([A], clock.now(), days=20)
    await run_check()
    tenant_id = await fleet.fetch_value("SELECT id FROM tenant")
    end_day = warsaw_date(clock.now()) + timedelta(days=9)
    for change in (
        OperatorChange(status=SubscriptionStatus.INACTIVE), OperatorChange(end_day=end_day),
        OperatorChange(end_day=end_day - timedelta(days=12)), OperatorChange(driver_limit=7),
        OperatorChange(status=SubscriptionStatus.CANCELLED),
    ):  # fmt: skip
        async with worker.database.tenant(tenant_id) as session:
            await change_subscription(session, change, clock.now())
        assert await sent_notices() == ["checking_stopped"]
        clock.forward(days=1)
