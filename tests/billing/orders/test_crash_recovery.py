"""Orders interrupted by a crash, concurrent orders, and orders during a charge."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from prawko.accounts.roles import Role
from prawko.billing.jobs import renew_subscriptions
from prawko.billing.repository import OrderRepository
from prawko.hooks.payments import PaymentError
from prawko.kit.clock import add_days
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.polling import poll_due
from prawko.payments.service import PaymentService
from prawko_testing.fake_payments import FakePaymentProvider
from support.crashes import CrashPoint, killed_at
from support.database import fetch_rows
from support.fake_payments import change_abilities
from support.orders import ACME_DETAILS, OrderScenario, fetch_subscription, parse_instant
from support.people import Person

pytestmark = pytest.mark.anyio

CHECKOUT = "/api/subscription/create-checkout-session"
CHANGE = "/api/subscription/change-limit"
BY_PAGE = {"method": "przelewy24"}


@pytest.fixture(autouse=True)
def _many_orders(context) -> None:
    context.max_tries["order"] = 1000


@pytest.fixture
async def colleague(newcomer, new_browser, logins) -> Person:
    return await newcomer.add_colleague(
        "ewa@nowa.test", new_browser(), logins.owner, Role.ACCOUNTANT
    )


async def assert_refused(person, path, **body) -> None:
    answer = await person.post(path, body)
    assert (answer.status_code, answer.json()["error"]) == (503, "payment_unavailable")
    assert int(answer.headers["retry-after"]) > 0


async def poll_after_delay(scenario: OrderScenario) -> None:
    """Poll the open payments, 16 minutes later."""
    scenario.worker.clock.forward(minutes=16)
    await poll_due(scenario.worker)


@asynccontextmanager
async def charge_in_flight(fake, start_charge):
    """Run `start_charge` up to the bank's charge; the bank answers when the block ends."""
    called, release, charge = asyncio.Event(), asyncio.Event(), fake.charge

    async def slow_charge(mandate, order):
        called.set()
        await release.wait()
        return await charge(mandate, order)

    fake.charge = slow_charge
    task = asyncio.create_task(start_charge)
    await asyncio.wait_for(called.wait(), 60)
    yield task
    release.set()
    await asyncio.wait_for(task, 60)


CRASHES_WITH_REDIRECT = {
    "before the order is written": CrashPoint(OrderRepository, "add"),
    "before the payment is written": CrashPoint(PaymentService, "create"),
    "before both are committed": CrashPoint(PaymentService, "create", after=True),
    "before the provider hears of it": CrashPoint(FakePaymentProvider, "create_payment"),
    "when the provider knows": CrashPoint(FakePaymentProvider, "create_payment", after=True),
    "before its answer is committed": CrashPoint(PaymentUpdater, "mark_open", after=True),
    "before the older one is given up": CrashPoint(PaymentService, "cancel_pending"),
    "when all is done": CrashPoint(PaymentService, "start", after=True),
}


async def test_after_a_crash_at_any_point_a_new_order_brings_one_period(
    newcomer, scenario, monkeypatch
) -> None:
    for number, (case, point) in enumerate(CRASHES_WITH_REDIRECT.items(), start=1):
        await scenario.place_order(newcomer, 5)
        with killed_at(monkeypatch, point):
            await newcomer.post(CHECKOUT, {"driverLimit": 5, **ACME_DETAILS})
        await scenario.buy(newcomer, 5)

        assert len(await scenario.history_rows()) == number, case
        assert (await fetch_subscription(newcomer))["openOrder"] is None, case
    scenario.worker.clock.forward(hours=2)
    await poll_after_delay(scenario)
    unpaid = await fetch_rows(scenario.logins, "SELECT state FROM payment WHERE state <> 'paid'")
    assert {row["state"] for row in unpaid} == {"failed", "expired"}, "no payment stays open"
    assert len(await fetch_rows(scenario.logins, "SELECT FROM invoice")) == len(
        CRASHES_WITH_REDIRECT
    )
    assert await scenario.discrepancy_kinds() == []


CRASHES_WITH_MANDATE = {
    "before the order is written": CrashPoint(OrderRepository, "add"),
    "before both are committed": CrashPoint(PaymentService, "create_charge", after=True),
    "before the bank hears of it": CrashPoint(FakePaymentProvider, "charge"),
    "when the bank has charged": CrashPoint(FakePaymentProvider, "charge", after=True),
    "before its answer is committed": CrashPoint(PaymentUpdater, "apply", after=True),
    "when all is done": CrashPoint(PaymentService, "charge", after=True),
}


async def test_after_a_crash_at_any_point_a_mandate_is_charged_once(
    newcomer, scenario, fake, monkeypatch
) -> None:
    await scenario.buy(newcomer, 5)
    limit, charged = 5, 0
    for case, point in CRASHES_WITH_MANDATE.items():
        for next_actor in ("the worker", "the customer"):
            limit, charged = limit + 5, charged + 1
            with killed_at(monkeypatch, point):
                await newcomer.post(CHANGE, {"driverLimit": limit})
            if next_actor == "the worker":
                await poll_after_delay(scenario)
            repeated = await newcomer.post(CHANGE, {"driverLimit": limit})

            case_name = (case, next_actor)
            assert repeated.json()["subscription"]["driverLimit"] == limit, case_name
            assert [*fake.charge_counts.values()] == [1] * charged, case_name
    assert len(await fetch_rows(scenario.logins, "SELECT FROM invoice")) == 1 + charged
    assert await scenario.discrepancy_kinds() == []


async def test_colleagues_who_order_at_once_and_both_pay_have_one_period(
    newcomer, colleague, context, scenario, fake
) -> None:
    change_abilities(context, scenario.worker, can_cancel=False)
    barrier, available = asyncio.Barrier(2), fake.available_methods

    async def available_together(money):
        await barrier.wait()
        return await available(money)

    fake.available_methods = available_together
    orders = await asyncio.wait_for(
        asyncio.gather(scenario.place_order(newcomer, 5), scenario.place_order(colleague, 10)), 60
    )
    for person, order in zip((newcomer, colleague), orders, strict=True):
        await scenario.pay(person, order)

    assert len(await scenario.history_rows()) == 1
    assert await scenario.discrepancy_kinds() == ["paid_twice"]
    assert (await fetch_subscription(colleague)) == (await fetch_subscription(newcomer))


async def test_while_a_mandate_is_charged_no_other_order_is_accepted(
    newcomer, colleague, scenario, fake
) -> None:
    await scenario.buy(newcomer, 5)
    upgrade = newcomer.post(CHANGE, {"driverLimit": 15})
    async with charge_in_flight(fake, upgrade) as charged:
        await assert_refused(colleague, CHANGE, driverLimit=10)
        await assert_refused(colleague, CHANGE, driverLimit=15, **BY_PAGE)
        await assert_refused(colleague, CHECKOUT, driverLimit=5, **ACME_DETAILS)

    assert charged.result().json()["subscription"]["driverLimit"] == 15
    assert [*fake.charge_counts.values()] == [1]
    await scenario.buy(colleague, 15)
    assert await scenario.discrepancy_kinds() == []


async def test_while_a_renewal_is_charged_a_lower_limit_is_scheduled_and_no_order_accepted(
    newcomer, scenario, fake, clock
) -> None:
    await scenario.buy(newcomer, 10)
    end = parse_instant((await fetch_subscription(newcomer))["endDate"])
    clock.set(add_days(end, -1))
    async with charge_in_flight(fake, renew_subscriptions(scenario.worker)):
        await assert_refused(newcomer, CHECKOUT, driverLimit=10, **ACME_DETAILS)
        await assert_refused(newcomer, CHANGE, driverLimit=15)
        assert (await newcomer.post(CHANGE, {"driverLimit": 5})).status_code == 200
        assert (await fetch_subscription(newcomer))["openOrder"] is None, (
            "our own doing is nobody's to pay"
        )

    now = await fetch_subscription(newcomer)
    assert parse_instant(now["endDate"]) == parse_instant(now["nextLimitAt"]) == add_days(end, 30)
    assert (now["driverLimit"], now["nextLimit"]) == (10, 5)
    await scenario.buy(newcomer, 5)
    assert await scenario.discrepancy_kinds() == []


async def test_while_an_upgrade_is_charged_no_renewal_is_priced(
    newcomer, scenario, fake, clock
) -> None:
    await scenario.buy(newcomer, 5)
    end = parse_instant((await fetch_subscription(newcomer))["endDate"])
    clock.set(add_days(end, -1))
    async with charge_in_flight(fake, newcomer.post(CHANGE, {"driverLimit": 15})):
        await renew_subscriptions(scenario.worker)
        assert await fetch_rows(scenario.logins, "SELECT FROM renewal_step") == []

    await renew_subscriptions(scenario.worker)
    renewal = await fetch_rows(scenario.logins, "SELECT driver_limit FROM subscription_order"
                                      " WHERE kind = 'renewal' AND state = 'paid'")  # fmt: skip
    assert [row["driver_limit"] for row in renewal] == [15]
    assert (await fetch_subscription(newcomer))["driverLimit"] == 15
    assert await scenario.discrepancy_kinds() == []


async def test_an_order_is_possible_an_hour_after_a_charge_without_an_answer(
    newcomer, scenario, fake, clock
) -> None:
    await scenario.buy(newcomer, 5)
    end = parse_instant((await fetch_subscription(newcomer))["endDate"])
    clock.set(add_days(end, -1))

    async def no_answer(mandate, order):
        raise PaymentError("away")

    fake.charge = no_answer
    await renew_subscriptions(scenario.worker)
    clock.forward(minutes=59)
    await assert_refused(newcomer, CHECKOUT, driverLimit=5, **ACME_DETAILS)
    clock.forward(minutes=1)
    await scenario.buy(newcomer, 5, method="transfer")
    await poll_after_delay(scenario)

    assert parse_instant((await fetch_subscription(newcomer))["endDate"]) == add_days(end, 30)
    assert (len(fake.payments), await scenario.discrepancy_kinds()) == (2, [])


async def test_a_period_superseded_by_an_upgrade_is_applied_when_it_is_paid(
    newcomer, context, scenario
) -> None:
    """An upgrade brings no period, so both payments apply."""
    change_abilities(context, scenario.worker, can_cancel=False)
    await scenario.buy(newcomer, 10, method="transfer")
    end = parse_instant((await fetch_subscription(newcomer))["endDate"])
    period = await scenario.place_order(newcomer, 10)
    upgrade = (await newcomer.post(CHANGE, {"driverLimit": 15, **BY_PAGE})).json()["orderId"]

    await scenario.pay(newcomer, upgrade)
    await scenario.pay(newcomer, period)

    now = await fetch_subscription(newcomer)
    assert parse_instant(now["endDate"]) == add_days(end, 30)
    assert (now["driverLimit"], now["nextLimit"]) == (15, 10)
    assert await scenario.discrepancy_kinds() == []


async def test_a_mandate_saved_before_cancelling_is_not_charged_after_another_payment(
    newcomer, scenario
) -> None:
    await scenario.buy(newcomer, 5)
    await newcomer.post("/api/subscription/cancel")
    await scenario.buy(newcomer, 5, method="transfer")
    now = await fetch_subscription(newcomer)
    assert (now["cancelled"], now["renews"], now["mandateLabel"]) == (False, False, None)

    await newcomer.post("/api/subscription/cancel")
    await scenario.buy(newcomer, 5)
    assert (await fetch_subscription(newcomer))["renews"] is True, (
        "a new payment by card creates a mandate again"
    )
