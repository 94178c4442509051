"""Orders whose process dies on the way, and orders beside each other and beside a charge."""

import asyncio
from contextlib import asynccontextmanager

import msgspec
import pytest

from buying import ACME, Till, instant, shown
from persons import Person
from prawko.billing.fulfilment import Fulfilment
from prawko.billing.order_repository import OrderRepository
from prawko.billing.periods import days_later
from prawko.billing.renewal_jobs import renew_subscriptions
from prawko.hooks.payments import PaymentError
from prawko.payments.buyers import till as wiring
from prawko.payments.recording import Recorder
from prawko.payments.rounds import ask_due
from prawko.payments.service import Payments
from prawko.testing.fake_payments import FakeProvider
from renewing_bank import Killed, dying
from stored import look

pytestmark = pytest.mark.anyio

CHECKOUT = "/api/subscription/create-checkout-session"
CHANGE = "/api/subscription/change-limit"
BY_PAGE = {"method": "przelewy24"}


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, "ORDERS_PER_COMPANY": "1000"}


@pytest.fixture
async def colleague(newcomer, visitor, logins) -> Person:
    return await newcomer.colleague("ewa@nowa.test", visitor(), logins.owner)


async def refused(person, path, **body) -> None:
    answer = await person.post(path, body)
    assert (answer.status_code, answer.json()["error"]) == (503, "payment_unavailable")
    assert int(answer.headers["retry-after"]) > 0


async def asks(till: Till) -> None:
    """The worker asks for what is open, a quarter of an hour later."""
    till.worker.clock.forward(minutes=16)
    await ask_due(till.worker, Fulfilment(till.worker))


@asynccontextmanager
async def charging(fake, monkeypatch, work):
    """The bank has been asked by `work` and takes its time; it answers when the block ends."""
    asked, answers, charge = asyncio.Event(), asyncio.Event(), fake.charge

    async def slow(mandate, order):
        asked.set()
        await answers.wait()
        return await charge(mandate, order)

    monkeypatch.setattr(fake, "charge", slow)
    task = asyncio.create_task(work)
    await asyncio.wait_for(asked.wait(), 60)
    yield task
    answers.set()
    await asyncio.wait_for(task, 60)


ON_A_PAGE = {
    "before the order is written": (OrderRepository, "add", False),
    "before the payment is written": (Payments, "prepare", False),
    "before both are committed": (Payments, "prepare", True),
    "before the provider hears of it": (FakeProvider, "start", False),
    "when the provider knows": (FakeProvider, "start", True),
    "before its answer is committed": (Recorder, "open", True),
    "before the older one is given up": (Payments, "give_up", False),
    "when all is done": (Payments, "start", True),
}


async def test_killed_at_any_point_a_new_order_brings_one_period(
    newcomer, till, monkeypatch
) -> None:
    for number, (death, (whose, name, after)) in enumerate(ON_A_PAGE.items(), start=1):
        await till.orders(newcomer, 5)
        dying(monkeypatch, whose, name, after=after)
        with pytest.raises(Killed):
            await newcomer.post(CHECKOUT, {"driverLimit": 5, **ACME})
        await till.buys(newcomer, 5)

        assert len(await till.history()) == number, death
        assert (await shown(newcomer))["openOrder"] is None, death
    till.worker.clock.forward(hours=2)
    await asks(till)
    unpaid = await look(till.logins, "SELECT state FROM payment WHERE state <> 'paid'")
    assert {row["state"] for row in unpaid} == {"failed", "expired"}, "nothing waits for ever"
    assert len(await look(till.logins, "SELECT FROM invoice")) == len(ON_A_PAGE)
    assert await till.findings() == []


BY_CARD = {
    "before the order is written": (OrderRepository, "add", False),
    "before both are committed": (Payments, "prepare_charge", True),
    "before the bank hears of it": (FakeProvider, "charge", False),
    "when the bank has charged": (FakeProvider, "charge", True),
    "before its answer is committed": (Recorder, "record", True),
    "when all is done": (Payments, "charge", True),
}


async def test_killed_at_any_point_a_saved_card_is_charged_once_whoever_comes_next(
    newcomer, till, fake, monkeypatch
) -> None:
    await till.buys(newcomer, 5)
    limit, charged = 5, 0
    for death, (whose, name, after) in BY_CARD.items():
        for comes_next in ("the worker", "the customer"):
            limit, charged = limit + 5, charged + 1
            dying(monkeypatch, whose, name, after=after)
            with pytest.raises(Killed):
                await newcomer.post(CHANGE, {"driverLimit": limit})
            if comes_next == "the worker":
                await asks(till)
            again = await newcomer.post(CHANGE, {"driverLimit": limit})

            where = (death, comes_next)
            assert again.json()["subscription"]["driverLimit"] == limit, where
            assert [*fake._charged.values()] == [1] * charged, where
    assert len(await look(till.logins, "SELECT FROM invoice")) == 1 + charged
    assert await till.findings() == []


async def test_colleagues_who_order_at_once_and_both_pay_have_one_period(
    newcomer, colleague, till, fake, monkeypatch
) -> None:
    able = msgspec.structs.replace(fake.capabilities, cancels=False)
    monkeypatch.setattr(fake, "capabilities", able)
    together, available = asyncio.Barrier(2), fake.available

    async def at_once(money):
        await together.wait()
        return await available(money)

    monkeypatch.setattr(fake, "available", at_once)
    orders = await asyncio.wait_for(
        asyncio.gather(till.orders(newcomer, 5), till.orders(colleague, 10)), 60
    )
    for person, order in zip((newcomer, colleague), orders, strict=True):
        await till.pays(person, order)

    assert len(await till.history()) == 1
    assert await till.findings() == ["paid_twice"]
    assert (await shown(colleague)) == (await shown(newcomer))


async def test_while_a_card_is_charged_nothing_else_is_ordered_by_anybody(
    newcomer, colleague, till, fake, monkeypatch
) -> None:
    await till.buys(newcomer, 5)
    upgrade = newcomer.post(CHANGE, {"driverLimit": 15})
    async with charging(fake, monkeypatch, upgrade) as charged:
        await refused(colleague, CHANGE, driverLimit=10)
        await refused(colleague, CHANGE, driverLimit=15, **BY_PAGE)
        await refused(colleague, CHECKOUT, driverLimit=5, **ACME)

    assert charged.result().json()["subscription"]["driverLimit"] == 15
    assert [*fake._charged.values()] == [1]
    await till.buys(colleague, 15)
    assert await till.findings() == []


async def test_while_a_renewal_is_charged_a_lower_limit_is_kept_and_no_order_taken(
    newcomer, till, fake, clock, monkeypatch
) -> None:
    monkeypatch.setattr(wiring, "_buyers", Fulfilment(till.worker))
    await till.buys(newcomer, 10)
    end = instant((await shown(newcomer))["endDate"])
    clock.set(days_later(end, -1))
    async with charging(fake, monkeypatch, renew_subscriptions(till.worker)):
        await refused(newcomer, CHECKOUT, driverLimit=10, **ACME)
        await refused(newcomer, CHANGE, driverLimit=15)
        assert (await newcomer.post(CHANGE, {"driverLimit": 5})).status_code == 200
        assert (await shown(newcomer))["openOrder"] is None, "our own doing is nobody's to pay"

    now = await shown(newcomer)
    assert instant(now["endDate"]) == instant(now["nextLimitAt"]) == days_later(end, 30)
    assert (now["driverLimit"], now["nextLimit"]) == (10, 5)
    await till.buys(newcomer, 5)
    assert await till.findings() == []


async def test_while_a_higher_limit_is_charged_no_renewal_is_priced_without_it(
    newcomer, till, fake, clock, monkeypatch
) -> None:
    monkeypatch.setattr(wiring, "_buyers", Fulfilment(till.worker))
    await till.buys(newcomer, 5)
    end = instant((await shown(newcomer))["endDate"])
    clock.set(days_later(end, -1))
    async with charging(fake, monkeypatch, newcomer.post(CHANGE, {"driverLimit": 15})):
        await renew_subscriptions(till.worker)
        assert await look(till.logins, "SELECT FROM renewal_step") == []

    await renew_subscriptions(till.worker)
    renewal = await look(till.logins, "SELECT driver_limit FROM subscription_order"
                                      " WHERE kind = 'renewal' AND state = 'paid'")  # fmt: skip
    assert [row["driver_limit"] for row in renewal] == [15]
    assert (await shown(newcomer))["driverLimit"] == 15
    assert await till.findings() == []


async def test_a_bank_that_is_silent_for_an_hour_keeps_nobody_from_paying_elsewhere(
    newcomer, till, fake, clock, monkeypatch
) -> None:
    monkeypatch.setattr(wiring, "_buyers", Fulfilment(till.worker))
    await till.buys(newcomer, 5)
    end = instant((await shown(newcomer))["endDate"])
    clock.set(days_later(end, -1))

    async def silence(mandate, order):
        raise PaymentError("away")

    monkeypatch.setattr(fake, "charge", silence)
    await renew_subscriptions(till.worker)
    clock.forward(minutes=59)
    await refused(newcomer, CHECKOUT, driverLimit=5, **ACME)
    clock.forward(minutes=1)
    await till.buys(newcomer, 5, method="transfer")
    await asks(till)

    assert instant((await shown(newcomer))["endDate"]) == days_later(end, 30)
    assert (len(fake.payments), await till.findings()) == (2, [])


async def test_a_period_whose_place_an_upgrade_took_is_given_when_it_is_paid(
    newcomer, till, fake, monkeypatch
) -> None:
    """An upgrade brings no period: who pays for both has both."""
    able = msgspec.structs.replace(fake.capabilities, cancels=False)
    monkeypatch.setattr(fake, "capabilities", able)
    await till.buys(newcomer, 10, method="transfer")
    end = instant((await shown(newcomer))["endDate"])
    period = await till.orders(newcomer, 10)
    upgrade = (await newcomer.post(CHANGE, {"driverLimit": 15, **BY_PAGE})).json()["orderId"]

    await till.pays(newcomer, upgrade)
    await till.pays(newcomer, period)

    now = await shown(newcomer)
    assert instant(now["endDate"]) == days_later(end, 30)
    assert (now["driverLimit"], now["nextLimit"]) == (15, 10)
    assert await till.findings() == []


async def test_a_card_whose_charges_were_cancelled_is_not_charged_for_another_payment(
    newcomer, till
) -> None:
    await till.buys(newcomer, 5)
    await newcomer.post("/api/subscription/cancel")
    await till.buys(newcomer, 5, method="transfer")
    now = await shown(newcomer)
    assert (now["cancelled"], now["renews"], now["mandateLabel"]) == (False, False, None)

    await newcomer.post("/api/subscription/cancel")
    await till.buys(newcomer, 5)
    assert (await shown(newcomer))["renews"] is True, "who pays by card again has it saved again"
