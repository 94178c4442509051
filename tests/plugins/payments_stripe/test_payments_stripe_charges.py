"""Saved cards that are charged, money that goes back: each once, whatever is lost on the way."""

import asyncio
from uuid import uuid4

import msgspec
import pytest

from prawko.hooks.failures import AccountError
from prawko.hooks.payments import (
    Mandate,
    Method,
    Money,
    PaymentError,
    PaymentRef,
    PaymentState,
    RefundState,
)
from prawko.testing.provider_contract import PRICE, order
from prawko_payments_stripe.failures import RejectedRequestError
from stripe_account import CONSENT, DECLINED, saved_card
from stripe_stub import invalid, page

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("method", "save", "saved"),
    [(Method.CARD, True, True), (Method.CARD, False, False), (Method.BLIK, True, False)],
)
async def test_only_a_card_is_saved_and_only_when_asked(
    server, provider, method, save, saved
) -> None:
    await provider.start(msgspec.structs.replace(order(method), save=save))

    sent = server.asked[0][1]
    assert (sent["payment_intent_data"].get("setup_future_usage") == "off_session") is saved
    assert sent["customer_creation"] == ("always" if saved else "if_required")


async def test_a_saved_card_has_a_name_to_show(server, provider) -> None:
    mandate = await saved_card(server, provider)

    assert mandate == Mandate("cus_0:pm_0", "Visa •••• 4242")


async def test_a_charge_names_its_card_and_asks_nobody(server, provider) -> None:
    mandate = await saved_card(server, provider)
    renewal = order(Method.CARD)
    paid = await provider.charge(mandate, renewal)

    sent = next(sent for called, sent in server.asked if called == "POST payment_intents")
    assert (sent["customer"], sent["payment_method"]) == ("cus_0", "pm_0")
    assert (sent["off_session"], sent["confirm"]) == ("true", "true")
    assert (paid.state, paid.money) == (PaymentState.PAID, PRICE)
    assert paid.ref == PaymentRef(renewal.key, "pi_1")
    assert await provider.status(paid.ref) == paid
    assert await provider.status(PaymentRef(renewal.key)) == paid


@pytest.mark.parametrize("a_day_later", [False, True])
async def test_a_charge_whose_answer_was_lost_is_made_once(server, provider, a_day_later) -> None:
    mandate = await saved_card(server, provider)
    renewal = order(Method.CARD)
    charge = server.charge

    def lost(params: dict) -> dict:
        server.loses_its_answers = True
        return charge(params)

    server.charge = lost
    with pytest.raises(PaymentError) as failed:
        await provider.charge(mandate, renewal)
    server.works()
    server.charge = charge
    if a_day_later:
        server.forgets_keys()
        server.ages(hours=25)

    assert not failed.value.permanent
    assert (await provider.charge(mandate, renewal)).state is PaymentState.PAID
    assert server.charges(renewal) == 1


@pytest.mark.parametrize("a_day_later", [False, True])
async def test_a_declined_card_stays_declined_for_its_order(server, provider, a_day_later) -> None:
    mandate = await saved_card(server, provider)
    renewal = order(Method.CARD)
    server.declines = DECLINED
    for _ in range(2):
        with pytest.raises(PaymentError, match="insufficient_funds") as refused:
            await provider.charge(mandate, renewal)
        assert refused.value.permanent
        server.declines = None
        if a_day_later:
            server.forgets_keys()

    assert server.charges(renewal) == 0
    found = await provider.status(PaymentRef(renewal.key))
    assert (found.state, found.reason) == (PaymentState.FAILED, "insufficient_funds")


@pytest.mark.parametrize("a_day_later", [False, True])
async def test_a_charge_that_needs_consent_waits_on_a_page(server, provider, a_day_later) -> None:
    mandate = await saved_card(server, provider)
    renewal = order(Method.CARD)
    server.declines = CONSENT
    first = await provider.charge(mandate, renewal)
    server.declines = None
    if a_day_later:
        server.forgets_keys()

    assert (first.state, first.ref.provider_ref) == (PaymentState.OPEN, "cs_test_a1")
    assert first.url == server.sessions["cs_test_a1"]["url"]
    assert await provider.charge(mandate, renewal) == first
    for ref in (first.ref, PaymentRef(renewal.key), PaymentRef(renewal.key, "pi_1")):
        assert await provider.status(ref) == first
    assert server.charges(renewal) == 0

    paid = provider.read_event(server.completed("cs_test_a1"))
    found = await provider.confirm(paid, expected=PRICE)
    assert (found.state, found.ref) == (PaymentState.PAID, first.ref)
    assert found.mandate == Mandate("cus_0:pm_1", "Visa •••• 4242")
    assert await provider.charge(mandate, renewal) == found


async def test_a_consent_that_nobody_gave_is_a_charge_that_failed(server, provider) -> None:
    mandate = await saved_card(server, provider)
    renewal = order(Method.CARD)
    server.declines = CONSENT
    first = await provider.charge(mandate, renewal)
    server.sessions["cs_test_a1"].update(status="expired", url=None)

    with pytest.raises(PaymentError) as refused:
        await provider.charge(mandate, renewal)
    assert refused.value.permanent
    assert (await provider.status(first.ref)).state is PaymentState.FAILED


async def test_a_card_that_was_taken_away_is_the_payers(server, provider) -> None:
    mandate = await saved_card(server, provider)
    for gone in (Mandate("cus_0:pm_none"), Mandate("cus_none:pm_0")):
        with pytest.raises(PaymentError) as refused:
            await provider.charge(gone, order(Method.CARD))
        assert refused.value.permanent
    assert mandate
    with pytest.raises(ValueError, match="no mandate"):
        await provider.charge(Mandate("pm_0"), order(Method.CARD))


async def test_a_charge_under_way_can_be_ended(server, provider) -> None:
    mandate = await saved_card(server, provider)
    renewal = order(Method.CARD)
    await provider.charge(mandate, renewal)
    server.intents["pi_1"]["status"] = "processing"

    found = await provider.cancel(PaymentRef(renewal.key, "pi_1"))
    assert found.state is PaymentState.FAILED


@pytest.mark.parametrize(
    ("status", "state"),
    [("succeeded", RefundState.DONE), ("pending", RefundState.PENDING),
     ("requires_action", RefundState.PENDING), ("failed", RefundState.REFUSED),
     ("canceled", RefundState.REFUSED)],
)  # fmt: skip
async def test_a_refund_asked_for_again_says_how_far_it_is(server, provider, status, state) -> None:
    redirect = await provider.start(order(Method.CARD))
    await server.pay(redirect)
    await provider.refund(redirect.ref, Money(327), key="R1")
    server.refund_objects["re_0"]["status"] = status
    server.forgets_keys()

    for ref in (redirect.ref, PaymentRef(redirect.ref.key), PaymentRef(redirect.ref.key, "pi_0")):
        assert (await provider.refund(ref, Money(327), key="R1")).state is state
    assert server.refunded(redirect.ref) == 327


async def test_a_refund_whose_answer_was_lost_is_given_once(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))
    await server.pay(redirect)
    refund = server.refund

    def lost(params: dict) -> dict:
        server.loses_its_answers = True
        return refund(params)

    server.refund = lost
    with pytest.raises(PaymentError):
        await provider.refund(redirect.ref, PRICE, key="R1")
    server.works()

    assert (await provider.refund(redirect.ref, PRICE, key="R1")).state is RefundState.DONE
    assert server.refunded(redirect.ref) == PRICE.grosze


async def test_two_refunds_never_give_back_more_than_was_paid(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))
    await server.pay(redirect)

    states = [
        (await provider.refund(redirect.ref, Money(10_000), key=uuid4().hex)).state
        for _ in range(2)
    ]
    assert states == [RefundState.DONE, RefundState.REFUSED]
    assert [called for called, _ in server.asked].count("POST refunds") == 1
    euros = await provider.refund(redirect.ref, Money(1, "EUR"), key=uuid4().hex)
    assert euros.state is RefundState.REFUSED
    assert server.refunded(redirect.ref) == 10_000


async def test_what_nobody_paid_is_not_given_back(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))

    for ref in (redirect.ref, PaymentRef("NONE")):
        assert (await provider.refund(ref, PRICE, key="R1")).state is RefundState.REFUSED


@pytest.mark.parametrize(
    ("error", "means"),
    [
        ({"code": "charge_already_refunded"}, None), ({"param": "amount"}, None),
        ({"code": "charge_disputed"}, None),
        ({"code": "balance_insufficient"}, AccountError),
        ({"code": "parameter_unknown", "param": "x"}, RejectedRequestError),
    ],
)  # fmt: skip
async def test_a_refused_refund_says_whose_fault_it_is(server, provider, error, means) -> None:
    redirect = await provider.start(order(Method.CARD))
    await server.pay(redirect)

    def refused(params: dict) -> dict:
        raise invalid(**error)

    server.refund = refused
    asking = provider.refund(redirect.ref, PRICE, key="R1")
    if means is None:
        assert (await asking).state is RefundState.REFUSED
    else:
        with pytest.raises(means):
            await asking


@pytest.mark.parametrize("what", ["charge", "refund", "consent"])
async def test_two_workers_at_once_ask_for_one_thing(server, provider, what) -> None:
    mandate = await saved_card(server, provider)
    renewal = order(Method.CARD)
    paid = PaymentRef(server.sessions["cs_test_a0"]["client_reference_id"], "cs_test_a0")
    server.listed = lambda url, *_: page(url, [])  # both look before either has asked
    server.declines = CONSENT if what == "consent" else None

    async def ask() -> object:
        if what == "refund":
            return await provider.refund(paid, Money(327), key="R1")
        return await provider.charge(mandate, renewal)

    first, second = await asyncio.gather(ask(), ask())

    assert first == second
    assert server.charges(renewal) == (what == "charge")
    assert server.refunded(paid) == (327 if what == "refund" else 0)
    assert len(server.sessions) == (2 if what == "consent" else 1)
