"""Fulfilment of orders paid early, late, twice, or void (docs/rules.md R4, R5, R23)."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import msgspec
import pytest

from prawko.billing.jobs import expire_ended_subscriptions
from prawko.billing.models import SubscriptionOrder
from prawko.billing.order_handler import SubscriptionOrderHandler
from prawko.billing.repository import SubscriptionRepository
from prawko.hooks.payments import Money, PaymentMethod
from prawko.kit.clock import utc_now, warsaw_date
from prawko.payments.models import Payment
from prawko.payments.order_handler import FulfilmentResult
from prawko.payments.state_machine import PaymentRecordState
from prawko_tenants.ids import TenantId
from support.database import fetch_rows
from support.fake_payments import change_abilities
from support.orders import ACME_DETAILS, OrderScenario, fetch_subscription, parse_instant
from support.payments import run_as_in_several_processes

pytestmark = pytest.mark.anyio

PERIOD = timedelta(days=30)
NOW = utc_now()
TRIAL_STARTED, FIRST_PERIOD_PAID = "Rozpoczęto bezpłatny okres próbny", "Opłacono pierwszy okres"
NEXT_PERIOD_PAID = "Opłacono kolejny okres"
PAID_AFTER_END = "Opłacono po końcu okresu; nowy okres liczy się od płatności"
CANCEL = "/api/subscription/cancel"
JAN = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123456"}


async def fetch_end(person) -> object:
    return parse_instant((await fetch_subscription(person))["endDate"])


def is_current_time(clock, instant) -> bool:
    return timedelta() <= clock.now() - instant < timedelta(minutes=1)


async def history_notes(scenario: OrderScenario) -> list[str]:
    return [row[2] for row in await scenario.history_rows()]


async def place_two_orders(person, scenario: OrderScenario, context) -> tuple[str, str]:
    """Two orders whose hosted pages can both be paid: the provider could not cancel."""
    change_abilities(context, can_cancel=False)
    orders = await scenario.place_order(person, 5), await scenario.place_order(person, 10)
    change_abilities(context, can_cancel=True)
    return orders


async def test_paying_in_the_trial_extends_from_its_end(anna, scenario, clock) -> None:
    trial_end = await fetch_end(anna)
    clock.forward(days=2)

    await scenario.buy(anna, 15)

    paid = await fetch_subscription(anna)
    assert parse_instant(paid["endDate"]) == trial_end + PERIOD
    assert (paid["status"], paid["driverLimit"], paid["isTrial"]) == ("active", 15, False)
    assert (paid["priceNet"], paid["companyDetails"]) == (249_00, ACME_DETAILS)
    assert (await scenario.history_rows())[-1] == (None, "active", FIRST_PERIOD_PAID)


async def test_without_a_trial_the_period_starts_at_the_payment(newcomer, scenario, clock) -> None:
    await scenario.buy(newcomer, 5)

    assert is_current_time(clock, await fetch_end(newcomer) - PERIOD)
    assert await scenario.history_rows() == [(None, "active", FIRST_PERIOD_PAID)]
    assert (await newcomer.post("/api/drivers", JAN)).status_code == 201


async def test_paying_early_extends_from_the_end(anna, scenario, clock) -> None:
    await scenario.buy(anna, 5)
    first = await fetch_end(anna)
    clock.forward(days=20)

    await scenario.buy(anna, 5, city="Łódź")

    assert await fetch_end(anna) == first + PERIOD
    assert (await fetch_subscription(anna))["companyDetails"] == {**ACME_DETAILS, "city": "Łódź"}
    assert await history_notes(scenario) == [TRIAL_STARTED, FIRST_PERIOD_PAID, NEXT_PERIOD_PAID]
    [_, row] = await fetch_rows(scenario.logins, "SELECT * FROM subscription ORDER BY id")
    assert row["end_date"] == first + PERIOD == row["monitored_until"] - timedelta(days=3)


async def test_paying_late_starts_a_period_at_the_payment(anna, scenario, worker, clock) -> None:
    await scenario.buy(anna, 5)
    clock.forward(days=60)
    await expire_ended_subscriptions(worker)
    assert (await fetch_subscription(anna))["status"] == "expired"

    await scenario.buy(anna, 10)

    assert is_current_time(clock, await fetch_end(anna) - PERIOD)
    assert (await fetch_subscription(anna))["driverLimit"] == 10
    assert (await history_notes(scenario))[-1] == PAID_AFTER_END
    assert len(await fetch_rows(scenario.logins, "SELECT * FROM subscription")) == 2


async def test_an_end_that_the_job_has_not_saved_is_in_the_history(anna, scenario, clock) -> None:
    await scenario.buy(anna, 5)
    clock.forward(days=60)

    await scenario.buy(anna, 5)

    await anna.post(CANCEL)
    clock.forward(days=60)
    await scenario.buy(anna, 5)

    old_and_new = [row[:2] for row in await scenario.history_rows()][2:]
    assert old_and_new == [
        ("active", "expired"), ("expired", "active"),
        ("active", "active"), ("active", "cancelled"), (None, "active"),
    ]  # fmt: skip


async def test_paying_before_the_end_of_a_cancelled_subscription_extends_it(anna, scenario) -> None:
    await scenario.buy(anna, 5)
    first = await fetch_end(anna)
    await anna.post(CANCEL)

    await scenario.buy(anna, 5)

    assert ((await fetch_subscription(anna))["cancelled"], await fetch_end(anna)) == (
        False,
        first + PERIOD,
    )
    assert (await history_notes(scenario))[-1] == NEXT_PERIOD_PAID


async def test_paying_after_a_cancelled_subscription_has_ended_creates_another(
    anna, scenario, worker, clock
) -> None:
    await scenario.buy(anna, 5)
    await anna.post(CANCEL)
    clock.forward(days=60)
    await expire_ended_subscriptions(worker)
    assert (await fetch_subscription(anna))["status"] == "cancelled"

    await scenario.buy(anna, 10)

    paid = await fetch_subscription(anna)
    assert (paid["status"], paid["cancelled"], paid["driverLimit"]) == ("active", False, 10)
    assert is_current_time(clock, await fetch_end(anna) - PERIOD)
    assert (await scenario.history_rows())[-1] == (None, "active", FIRST_PERIOD_PAID)


async def test_five_webhooks_of_one_payment_activate_once(anna, scenario) -> None:
    order = await scenario.place_order(anna, 5)

    await scenario.pay(anna, order, times=5)
    await scenario.process_webhooks()

    assert await history_notes(scenario) == [TRIAL_STARTED, FIRST_PERIOD_PAID]
    assert await scenario.discrepancy_kinds() == []
    assert len(await fetch_rows(scenario.logins, "SELECT * FROM invoice")) == 1


async def test_concurrent_workers_fulfil_a_payment_once(anna, scenario, fake) -> None:
    """One activation and one history row."""
    order = await scenario.place_order(anna, 5)
    callback = await fake.pay(await scenario.payment_redirect(order))
    await scenario.post_webhook(anna, callback, times=3)

    await asyncio.gather(*(scenario.process_webhooks() for _ in range(4)))

    assert await history_notes(scenario) == [TRIAL_STARTED, FIRST_PERIOD_PAID]
    assert await scenario.discrepancy_kinds() == []


async def test_a_period_paid_twice_counts_once(anna, scenario, context) -> None:
    """The payer paid on two open pages; the cancellation came too late."""
    first, second = await place_two_orders(anna, scenario, context)
    end_date = await fetch_end(anna) + PERIOD

    await scenario.pay(anna, first)
    await scenario.pay(anna, second)

    assert await fetch_end(anna) == end_date
    assert await history_notes(scenario) == [TRIAL_STARTED, FIRST_PERIOD_PAID]
    assert [(await scenario.order_row(order))["state"] for order in (first, second)] == [
        "paid",
        "void",
    ]
    assert await scenario.discrepancy_kinds() == ["paid_twice"]
    assert len(await fetch_rows(scenario.logins, "SELECT * FROM invoice")) == 1


async def test_two_pages_paid_at_once_count_once(
    newcomer, scenario, context, fake, monkeypatch
) -> None:
    """Without a subscription row to lock, the lock of the company decides."""
    run_as_in_several_processes(monkeypatch)
    orders = await place_two_orders(newcomer, scenario, context)
    for order in orders:
        await scenario.post_webhook(
            newcomer, await fake.pay(await scenario.payment_redirect(order))
        )
    barrier, confirm = asyncio.Barrier(2), fake.capture

    async def all_at_once(*args, **options):
        payment = await confirm(*args, **options)
        await barrier.wait()
        return payment

    fake.capture = all_at_once
    await asyncio.wait_for(
        asyncio.gather(scenario.process_webhooks(), scenario.process_webhooks()), 60
    )

    assert await history_notes(scenario) == [FIRST_PERIOD_PAID]
    assert await scenario.discrepancy_kinds() == ["paid_twice"]
    states = [(await scenario.order_row(order))["state"] for order in orders]
    assert sorted(states) == ["paid", "void"]


async def test_the_older_of_two_pages_may_be_the_one_that_is_paid(anna, scenario, context) -> None:
    first, second = await place_two_orders(anna, scenario, context)

    await scenario.pay(anna, first)

    assert (await fetch_subscription(anna))["driverLimit"] == 5
    assert (await scenario.order_row(first))["state"] == "paid"
    assert (await fetch_subscription(anna))["openOrder"] is None
    assert str((await scenario.order_row(second))["superseded_by"]) == first


async def test_an_order_after_a_payment_is_another_period(anna, scenario) -> None:
    """The order of the transactions decides, not the clock, which stands still here."""
    for _ in range(3):
        await scenario.buy(anna, 5)

    assert await history_notes(scenario) == [
        TRIAL_STARTED,
        FIRST_PERIOD_PAID,
        NEXT_PERIOD_PAID,
        NEXT_PERIOD_PAID,
    ]
    assert await scenario.discrepancy_kinds() == []


async def test_a_failed_order_that_is_paid_later_is_fulfilled(anna, scenario, fake) -> None:
    order = await scenario.place_order(anna, 5)
    await scenario.fail_payment(anna, order)
    assert (await scenario.order_row(order))["state"] == "failed"

    await scenario.pay(anna, order)

    assert (await scenario.order_row(order))["state"] == "paid"
    assert await history_notes(scenario) == [TRIAL_STARTED, FIRST_PERIOD_PAID]


async def test_a_failed_order_leaves_everything_as_it_was(anna, scenario) -> None:
    before = await fetch_subscription(anna)
    order = await scenario.place_order(anna, 5)

    await scenario.fail_payment(anna, order)

    assert {**await fetch_subscription(anna), "user": before["user"]} == before
    assert (await anna.get(f"/api/orders/{order}")).json()["state"] == "failed"


async def test_a_payment_of_another_amount_activates_nothing(anna, scenario) -> None:
    for grosze in (1, 183_26, 183_28):
        order = await scenario.place_order(anna, 5)
        await scenario.pay(anna, order, money=Money(grosze))
        assert (await scenario.order_row(order))["state"] == "open"

    assert (await fetch_subscription(anna))["isTrial"] is True
    assert await scenario.discrepancy_kinds() == ["wrong_amount"] * 3


@pytest.mark.parametrize("status", ["inactive", "cancelled"])
async def test_a_payment_reopens_no_subscription_closed_by_an_operator(
    anna, scenario, status
) -> None:
    """The payment is a discrepancy (R23)."""
    await scenario.buy(anna, 5)
    order = await scenario.place_order(anna, 5)
    end_date = await fetch_end(anna)
    await scenario.set_status(anna, status)

    await scenario.pay(anna, order)

    assert ((await fetch_subscription(anna))["status"], await fetch_end(anna)) == (status, end_date)
    assert await scenario.discrepancy_kinds() == ["suspended"]
    assert (await scenario.order_row(order))["state"] == "void"
    assert await history_notes(scenario) == [TRIAL_STARTED, FIRST_PERIOD_PAID]


async def test_the_invoice_has_the_buyer_the_amounts_and_the_period(anna, scenario, clock) -> None:
    trial_end = await fetch_end(anna)

    order = await scenario.buy(anna, 15)

    [invoice] = await fetch_rows(scenario.logins, "SELECT * FROM invoice")
    assert str(invoice["order_id"]) == order
    assert (invoice["net"], invoice["vat"], invoice["gross"]) == (249_00, 57_27, 306_27)
    assert invoice["buyer_name"] == ACME_DETAILS["companyName"]
    [invoice_line] = await fetch_rows(scenario.logins, "SELECT * FROM invoice_line")
    assert (invoice_line["kind"], invoice_line["driver_limit"], invoice_line["net"]) == (
        "period",
        15,
        249_00,
    )
    assert f"od {warsaw_date(trial_end):%d.%m.%Y}" in invoice_line["name"], (
        "when the trial has ended"
    )


async def test_a_saved_card_renews_the_subscription(anna, scenario) -> None:
    await scenario.buy(anna, 5)

    payload = await fetch_subscription(anna)
    assert (payload["renews"], payload["mandateLabel"]) == (True, "•••• 4242")
    await anna.post(CANCEL)
    payload = await fetch_subscription(anna)
    assert (payload["renews"], payload["cancelled"]) == (False, True)


CHANGES = {
    "as they were ordered": (lambda *_: {}, (True, True)),
    "the customer cancelled": (lambda current, _: {current: {"cancelled_at": NOW}}, (False, True)),
    "an operator closed it": (lambda current, _: {current: {"status": "inactive"}}, (False, False)),
    "another end": (lambda current, _: {current: {"end_date": NOW + 3 * PERIOD}}, (False, False)),
    "another limit": (lambda current, _: {current: {"driver_limit": 10}}, (True, False)),
    "paid": (lambda _, order: {order: {"state": "paid"}}, (False, False)),
    "given up": (lambda _, order: {order: {"state": "failed"}}, (False, False)),
    "another order": (lambda _, order: {order: {"superseded_by": uuid4()}}, (False, False)),
}  # fmt: skip


async def test_an_order_is_chargeable_while_fulfilment_would_apply_it(
    anna, scenario, worker, clock
) -> None:
    await scenario.buy(anna, 5)
    handler, tenant_id = SubscriptionOrderHandler(worker), TenantId(await anna.tenant_id(worker))
    chargeable: dict[str, list[bool]] = {}
    for kind in ("renewal", "upgrade"):
        for what, (change, _) in CHANGES.items():
            async with worker.database.tenant(tenant_id) as session:
                _, current = await SubscriptionRepository(session).lock_current()
                order = SubscriptionOrder(
                    id=uuid4(), kind=kind, state="open", driver_limit=10, from_limit=5,
                    end_date=current.end_date, lines=[], net=149_00, vat=34_27, method="card",
                    company_name="Acme", tax_id="5260250274", street="Prosta 1",
                    postal_code="00-950", city="Warszawa", created_at=clock.now(),
                )  # fmt: skip
                session.add(order)
                for row, values in change(current, order).items():
                    for name, value in values.items():
                        setattr(row, name, value)
                await session.flush()
                chargeable.setdefault(what, []).append(
                    await handler.is_chargeable(session, order.id)
                )
                assert not await handler.is_chargeable(session, uuid4())
                await session.rollback()

    assert {name: tuple(results) for name, results in chargeable.items()} == {
        name: expected for name, (_, expected) in CHANGES.items()
    }


async def test_an_order_stores_the_payment_that_paid_it(anna, scenario, worker) -> None:
    """A repeated call of the order handler changes nothing."""
    order = UUID(await scenario.buy(anna, 5))
    payment = (await scenario.order_row(str(order)))["payment_id"]
    tenant_id = TenantId(await anna.tenant_id(worker))
    before = await scenario.history_rows()

    async def fulfil_again(order_id, payment_id) -> FulfilmentResult:
        paid = Payment(
            tenant_id=tenant_id, id=payment_id, order_id=order_id, grosze=183_27, currency="PLN",
            method=PaymentMethod.CARD, provider="fake", finished_at=worker.clock.now(),
        )  # fmt: skip
        async with worker.database.tenant(tenant_id) as session:
            return await SubscriptionOrderHandler(worker).on_paid(session, paid, None)

    assert await fulfil_again(order, payment) is FulfilmentResult.ALREADY_APPLIED
    assert await fulfil_again(order, uuid4()) is FulfilmentResult.PAID_TWICE
    assert await fulfil_again(uuid4(), uuid4()) is FulfilmentResult.VOID
    late_failure = Payment(
        tenant_id=tenant_id, id=uuid4(), order_id=order, state=PaymentRecordState.EXPIRED
    )
    async with worker.database.tenant(tenant_id) as session:
        await SubscriptionOrderHandler(worker).on_failed(session, late_failure)
    assert (await scenario.order_row(str(order)))["state"] == "paid"
    assert await scenario.history_rows() == before
    assert len(await fetch_rows(scenario.logins, "SELECT * FROM invoice")) == 1


async def test_a_refund_does_not_end_the_subscription(anna, scenario, fake) -> None:
    """That is an operator's decision."""
    order = await scenario.buy(anna, 5)
    before = await fetch_subscription(anna)
    ref = (await scenario.payment_redirect(order)).ref
    await fake.refund(ref, Money(183_27), refund_reference="R1")
    payload = {"id": "back", "kind": "refunded", "key": ref.reference, "money": Money(183_27)}

    await scenario.post_webhook(anna, fake.signed_request(msgspec.json.encode(payload)))
    await scenario.process_webhooks()

    assert await fetch_subscription(anna) == before
    assert await scenario.discrepancy_kinds() == ["refunded_elsewhere"]


async def test_a_dispute_stops_the_renewal_and_leaves_what_is_paid(anna, scenario, fake) -> None:
    """Nothing more is charged to who takes money back; the rest is an operator's decision."""
    order = await scenario.buy(anna, 5)
    before = await fetch_subscription(anna)
    assert before["renews"]

    for _ in range(2):
        webhook = fake.dispute(await scenario.payment_redirect(order))
        await scenario.post_webhook(anna, webhook)
        await scenario.process_webhooks()

    after = await fetch_subscription(anna)
    assert not after["renews"]
    assert (after["status"], after["endDate"]) == ("active", before["endDate"])
    assert await scenario.discrepancy_kinds() == ["disputed"]
    assert (await history_notes(scenario))[-1].startswith("Płatnik zakwestionował płatność")
    mandates = await fetch_rows(scenario.logins, "SELECT ended_at FROM payment_mandate")
    assert [row["ended_at"] is not None for row in mandates] == [True]
