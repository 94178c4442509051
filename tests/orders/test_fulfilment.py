"""What a paid order brings: early, late, twice, and when it no longer fits (R4, R5, R23)."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import msgspec
import pytest

from buying import ACME, Till, instant, shown
from prawko.base.clock import machine_now, warsaw_day
from prawko.billing.fulfilment import Fulfilment
from prawko.billing.jobs import close_ended_subscriptions
from prawko.billing.models import SubscriptionOrder
from prawko.billing.repository import SubscriptionRepository
from prawko.hooks.payments import Method, Money
from prawko.payments.buyers import FailedPayment, PaidPayment, Verdict
from prawko_tenants.ids import TenantId
from stored import look

pytestmark = pytest.mark.anyio

PERIOD = timedelta(days=30)
NOW = machine_now()
STARTED, BEGUN = "Rozpoczęto bezpłatny okres próbny", "Opłacono pierwszy okres"
PROLONGED = "Opłacono kolejny okres"
PAID_AFTER_END = "Opłacono po końcu okresu; nowy okres liczy się od płatności"
CANCEL = "/api/subscription/cancel"
JAN = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123456"}


async def end(person) -> object:
    return instant((await shown(person))["endDate"])


def is_now(clock, at) -> bool:
    return timedelta() <= clock.now() - at < timedelta(minutes=1)


async def notes(till: Till) -> list[str]:
    return [row[2] for row in await till.history()]


async def two_open_orders(person, till: Till, fake) -> tuple[str, str]:
    """Two pages of the provider that can both be paid: nothing could be given up."""
    ability, cancels = fake.capabilities, msgspec.structs.replace(fake.capabilities, cancels=False)
    fake.capabilities = cancels
    orders = await till.orders(person, 5), await till.orders(person, 10)
    fake.capabilities = ability
    return orders


async def test_who_pays_in_the_trial_loses_none_of_it(anna, till, clock) -> None:
    tried = await end(anna)
    clock.forward(days=2)

    await till.buys(anna, 15)

    paid = await shown(anna)
    assert instant(paid["endDate"]) == tried + PERIOD
    assert (paid["status"], paid["driverLimit"], paid["isTrial"]) == ("active", 15, False)
    assert (paid["priceNet"], paid["companyDetails"]) == (249_00, ACME)
    assert (await till.history())[-1] == (None, "active", BEGUN)


async def test_who_never_tried_begins_with_the_payment(newcomer, till, clock) -> None:
    await till.buys(newcomer, 5)

    assert is_now(clock, await end(newcomer) - PERIOD)
    assert await till.history() == [(None, "active", BEGUN)]
    assert (await newcomer.post("/api/drivers", JAN)).status_code == 201


async def test_who_pays_early_loses_nothing(anna, till, clock) -> None:
    await till.buys(anna, 5)
    first = await end(anna)
    clock.forward(days=20)

    await till.buys(anna, 5, city="Łódź")

    assert await end(anna) == first + PERIOD
    assert (await shown(anna))["companyDetails"] == {**ACME, "city": "Łódź"}
    assert await notes(till) == [STARTED, BEGUN, PROLONGED]
    [_, row] = await look(till.logins, "SELECT * FROM subscription ORDER BY id")
    assert row["end_date"] == first + PERIOD == row["checked_until"] - timedelta(days=3)


async def test_who_pays_late_begins_anew_with_the_payment(anna, till, worker, clock) -> None:
    await till.buys(anna, 5)
    clock.forward(days=60)
    await close_ended_subscriptions(worker)
    assert (await shown(anna))["status"] == "expired"

    await till.buys(anna, 10)

    assert is_now(clock, await end(anna) - PERIOD)
    assert (await shown(anna))["driverLimit"] == 10
    assert (await notes(till))[-1] == PAID_AFTER_END
    assert len(await look(till.logins, "SELECT * FROM subscription")) == 2


async def test_an_end_that_no_job_has_written_is_in_the_history_all_the_same(
    anna, till, clock
) -> None:
    await till.buys(anna, 5)
    clock.forward(days=60)

    await till.buys(anna, 5)

    await anna.post(CANCEL)
    clock.forward(days=60)
    await till.buys(anna, 5)

    old_and_new = [row[:2] for row in await till.history()][2:]
    assert old_and_new == [
        ("active", "expired"), ("expired", "active"),
        ("active", "active"), ("active", "cancelled"), (None, "active"),
    ]  # fmt: skip


async def test_who_cancelled_and_pays_before_the_end_goes_on(anna, till) -> None:
    await till.buys(anna, 5)
    first = await end(anna)
    await anna.post(CANCEL)

    await till.buys(anna, 5)

    assert ((await shown(anna))["cancelled"], await end(anna)) == (False, first + PERIOD)
    assert (await notes(till))[-1] == PROLONGED


async def test_who_cancelled_and_pays_after_the_end_begins_another_subscription(
    anna, till, worker, clock
) -> None:
    await till.buys(anna, 5)
    await anna.post(CANCEL)
    clock.forward(days=60)
    await close_ended_subscriptions(worker)
    assert (await shown(anna))["status"] == "cancelled"

    await till.buys(anna, 10)

    paid = await shown(anna)
    assert (paid["status"], paid["cancelled"], paid["driverLimit"]) == ("active", False, 10)
    assert is_now(clock, await end(anna) - PERIOD)
    assert (await till.history())[-1] == (None, "active", BEGUN)


async def test_five_calls_about_one_payment_activate_once(anna, till) -> None:
    order = await till.orders(anna, 5)

    await till.pays(anna, order, times=5)
    await till.works()

    assert await notes(till) == [STARTED, BEGUN]
    assert await till.findings() == []
    assert len(await look(till.logins, "SELECT * FROM invoice")) == 1


async def test_two_payments_at_once_bring_two_periods_or_one(anna, till, fake) -> None:
    """Two workers hear of the same payment: one activation and one row of history."""
    order = await till.orders(anna, 5)
    callback = await fake.pay(await till.redirect(order))
    await till.calls(anna, callback, times=3)

    await asyncio.gather(*(till.works() for _ in range(4)))

    assert await notes(till) == [STARTED, BEGUN]
    assert await till.findings() == []


async def test_the_same_period_that_is_paid_twice_counts_once(anna, till, fake) -> None:
    """The payer had two pages open and paid on both; our giving up came too late."""
    first, second = await two_open_orders(anna, till, fake)
    until = await end(anna) + PERIOD

    await till.pays(anna, first)
    await till.pays(anna, second)

    assert await end(anna) == until
    assert await notes(till) == [STARTED, BEGUN]
    assert [(await till.order(order))["state"] for order in (first, second)] == ["paid", "void"]
    assert await till.findings() == ["paid_twice"]
    assert len(await look(till.logins, "SELECT * FROM invoice")) == 1


async def test_two_pages_that_are_paid_at_once_count_once(newcomer, till, fake) -> None:
    """Who has no subscription yet has no row of one to hold: the company is held."""
    orders = await two_open_orders(newcomer, till, fake)
    for order in orders:
        await till.calls(newcomer, await fake.pay(await till.redirect(order)))
    together, confirm = asyncio.Barrier(2), fake.confirm

    async def all_at_once(*about, **how):
        said = await confirm(*about, **how)
        await together.wait()
        return said

    fake.confirm = all_at_once
    await asyncio.wait_for(asyncio.gather(till.works(), till.works()), 60)

    assert await notes(till) == [BEGUN]
    assert await till.findings() == ["paid_twice"]
    states = [(await till.order(order))["state"] for order in orders]
    assert sorted(states) == ["paid", "void"]


async def test_the_older_of_two_pages_may_be_the_one_that_is_paid(anna, till, fake) -> None:
    first, second = await two_open_orders(anna, till, fake)

    await till.pays(anna, first)

    assert (await shown(anna))["driverLimit"] == 5
    assert (await till.order(first))["state"] == "paid"
    assert (await shown(anna))["openOrder"] is None
    assert str((await till.order(second))["superseded_by"]) == first


async def test_what_is_ordered_after_a_payment_is_another_period(anna, till) -> None:
    """Not by the clock, which stands still here, but by the order of writing."""
    for _ in range(3):
        await till.buys(anna, 5)

    assert await notes(till) == [STARTED, BEGUN, PROLONGED, PROLONGED]
    assert await till.findings() == []


async def test_an_order_that_failed_and_is_paid_after_all_counts(anna, till, fake) -> None:
    order = await till.orders(anna, 5)
    await till.fails(anna, order)
    assert (await till.order(order))["state"] == "failed"

    await till.pays(anna, order)

    assert (await till.order(order))["state"] == "paid"
    assert await notes(till) == [STARTED, BEGUN]


async def test_a_failed_order_leaves_everything_as_it_was(anna, till) -> None:
    before = await shown(anna)
    order = await till.orders(anna, 5)

    await till.fails(anna, order)

    assert {**await shown(anna), "user": before["user"]} == before
    assert (await anna.get(f"/api/orders/{order}")).json()["state"] == "failed"


async def test_another_sum_activates_nothing(anna, till) -> None:
    for grosze in (1, 183_26, 183_28):
        order = await till.orders(anna, 5)
        await till.pays(anna, order, money=Money(grosze))
        assert (await till.order(order))["state"] == "open"

    assert (await shown(anna))["isTrial"] is True
    assert await till.findings() == ["wrong_amount"] * 3


@pytest.mark.parametrize("status", ["inactive", "cancelled"])
async def test_what_an_operator_has_closed_meanwhile_stays_closed(anna, till, status) -> None:
    """The money is kept and flagged (reading R23)."""
    await till.buys(anna, 5)
    order = await till.orders(anna, 5)
    until = await end(anna)
    await till.operator_sets(anna, status)

    await till.pays(anna, order)

    assert ((await shown(anna))["status"], await end(anna)) == (status, until)
    assert await till.findings() == ["suspended"]
    assert (await till.order(order))["state"] == "void"
    assert await notes(till) == [STARTED, BEGUN]


async def test_the_invoice_says_what_was_bought(anna, till, clock) -> None:
    tried = await end(anna)

    order = await till.buys(anna, 15)

    [invoice] = await look(till.logins, "SELECT * FROM invoice")
    assert str(invoice["order_id"]) == order
    assert (invoice["net"], invoice["vat"], invoice["gross"]) == (249_00, 57_27, 306_27)
    assert invoice["buyer_name"] == ACME["companyName"]
    [line] = await look(till.logins, "SELECT * FROM invoice_line")
    assert (line["kind"], line["driver_limit"], line["net"]) == ("period", 15, 249_00)
    assert f"od {warsaw_day(tried):%d.%m.%Y}" in line["name"], "when the trial has ended"


async def test_a_saved_card_renews_the_subscription(anna, till) -> None:
    await till.buys(anna, 5)

    told = await shown(anna)
    assert (told["renews"], told["mandateLabel"]) == (True, "•••• 4242")
    await anna.post(CANCEL)
    told = await shown(anna)
    assert (told["renews"], told["cancelled"]) == (False, True)


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


async def test_a_charge_is_wanted_while_it_would_bring_what_was_ordered(
    anna, till, worker, clock
) -> None:
    await till.buys(anna, 5)
    buyers, tenant_id = Fulfilment(worker), TenantId(await anna.tenant_id(worker))
    wanted: dict[str, list[bool]] = {}
    for kind in ("renewal", "upgrade"):
        for what, (change, _) in CHANGES.items():
            async with worker.database.tenant(tenant_id) as session:
                _, current = await SubscriptionRepository(session).hold_current()
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
                wanted.setdefault(what, []).append(await buyers.still_wanted(session, order.id))
                assert not await buyers.still_wanted(session, uuid4())
                await session.rollback()

    assert {what: tuple(found) for what, found in wanted.items()} == {
        what: expected for what, (_, expected) in CHANGES.items()
    }


async def test_an_order_remembers_which_payment_has_paid_it(anna, till, worker) -> None:
    """Payments ask once; should they ask again, nothing is given again."""
    order = UUID(await till.buys(anna, 5))
    payment = (await till.order(str(order)))["payment_id"]
    tenant_id = TenantId(await anna.tenant_id(worker))
    before = await till.history()

    async def again(order_id, payment_id) -> Verdict:
        paid = PaidPayment(
            tenant_id=tenant_id, payment_id=payment_id, order_id=order_id, money=Money(183_27),
            method=Method.CARD, provider="fake", mandate_id=None, paid_at=worker.clock.now(),
        )  # fmt: skip
        async with worker.database.tenant(tenant_id) as session:
            return await Fulfilment(worker).paid(session, paid)

    assert await again(order, payment) is Verdict.REPEATED
    assert await again(order, uuid4()) is Verdict.PAID_TWICE
    assert await again(uuid4(), uuid4()) is Verdict.VOID
    late = FailedPayment(
        tenant_id=tenant_id, payment_id=uuid4(), order_id=order, reason="", expired=True
    )
    async with worker.database.tenant(tenant_id) as session:
        await Fulfilment(worker).failed(session, late)
    assert (await till.order(str(order)))["state"] == "paid"
    assert await till.history() == before
    assert len(await look(till.logins, "SELECT * FROM invoice")) == 1


async def test_money_that_goes_back_ends_nothing_by_itself(anna, till, fake) -> None:
    """Whether it does, an operator decides."""
    order = await till.buys(anna, 5)
    before = await shown(anna)
    ref = (await till.redirect(order)).ref
    await fake.refund(ref, Money(183_27), key="R1")
    told = {"id": "back", "kind": "refunded", "key": ref.key, "money": Money(183_27)}

    await till.calls(anna, fake.call(msgspec.json.encode(told)))
    await till.works()

    assert await shown(anna) == before
    assert await till.findings() == ["refunded_elsewhere"]
