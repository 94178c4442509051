"""Charges of saved cards and refunds: each once, despite lost responses."""

import asyncio
from uuid import uuid4

import msgspec
import pytest

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    Mandate,
    Money,
    PaymentError,
    PaymentMethod,
    PaymentRef,
    PaymentState,
    RefundState,
)
from prawko_payments_stripe.errors import StripeRequestError
from prawko_testing.provider_contract import PRICE, sample_request
from support.servers.stripe import invalid_request, list_page
from support.servers.stripe_account import CARD_DECLINED, CONSENT_REQUIRED

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("method", "save", "saved"),
    [
        (PaymentMethod.CARD, True, True),
        (PaymentMethod.CARD, False, False),
        (PaymentMethod.BLIK, True, False),
    ],
)
async def test_only_cards_are_saved_and_only_on_request(
    server, provider, method, save, saved
) -> None:
    await provider.create_payment(
        msgspec.structs.replace(sample_request(method), save_payment_method=save)
    )

    sent = server.requests[0][1]
    assert (sent["payment_intent_data"].get("setup_future_usage") == "off_session") is saved
    assert sent["customer_creation"] == ("always" if saved else "if_required")


async def test_a_saved_card_has_a_label(server, provider) -> None:
    mandate = await save_card(server, provider)

    assert mandate == Mandate("cus_0:pm_0", "Visa •••• 4242")


async def test_a_charge_names_its_card_and_is_off_session(server, provider) -> None:
    mandate = await save_card(server, provider)
    renewal = sample_request(PaymentMethod.CARD)
    paid = await provider.charge(mandate, renewal)

    sent = next(sent for called, sent in server.requests if called == "POST payment_intents")
    assert (sent["customer"], sent["payment_method"]) == ("cus_0", "pm_0")
    assert (sent["off_session"], sent["confirm"]) == ("true", "true")
    assert (paid.state, paid.money) == (PaymentState.PAID, PRICE)
    assert paid.ref == PaymentRef(renewal.reference, "pi_1")
    assert await provider.query_status(paid.ref) == paid
    assert await provider.query_status(PaymentRef(renewal.reference)) == paid


@pytest.mark.parametrize("a_day_later", [False, True])
async def test_a_charge_whose_response_was_lost_is_made_once(server, provider, a_day_later) -> None:
    mandate = await save_card(server, provider)
    renewal = sample_request(PaymentMethod.CARD)
    charge = server.charge_card

    def lose_response(params: dict) -> dict:
        server.drops_responses = True
        return charge(params)

    server.charge_card = lose_response
    with pytest.raises(PaymentError) as failed:
        await provider.charge(mandate, renewal)
    server.recover()
    server.charge_card = charge
    if a_day_later:
        server.clear_idempotency_keys()
        server.age_objects(hours=25)

    assert not failed.value.permanent
    assert (await provider.charge(mandate, renewal)).state is PaymentState.PAID
    assert server.charge_count(renewal) == 1


@pytest.mark.parametrize("a_day_later", [False, True])
async def test_a_declined_charge_stays_declined_for_its_reference(
    server, provider, a_day_later
) -> None:
    mandate = await save_card(server, provider)
    renewal = sample_request(PaymentMethod.CARD)
    server.decline_error = CARD_DECLINED
    for _ in range(2):
        with pytest.raises(PaymentError, match="insufficient_funds") as refused:
            await provider.charge(mandate, renewal)
        assert refused.value.permanent
        server.decline_error = None
        if a_day_later:
            server.clear_idempotency_keys()

    assert server.charge_count(renewal) == 0
    payment = await provider.query_status(PaymentRef(renewal.reference))
    assert (payment.state, payment.reason) == (PaymentState.FAILED, "insufficient_funds")


@pytest.mark.parametrize("a_day_later", [False, True])
async def test_a_charge_that_requires_consent_opens_a_session(
    server, provider, a_day_later
) -> None:
    mandate = await save_card(server, provider)
    renewal = sample_request(PaymentMethod.CARD)
    server.decline_error = CONSENT_REQUIRED
    first = await provider.charge(mandate, renewal)
    server.decline_error = None
    if a_day_later:
        server.clear_idempotency_keys()

    assert (first.state, first.ref.provider_ref) == (PaymentState.OPEN, "cs_test_a1")
    assert first.url == server.sessions["cs_test_a1"]["url"]
    assert await provider.charge(mandate, renewal) == first
    for ref in (first.ref, PaymentRef(renewal.reference), PaymentRef(renewal.reference, "pi_1")):
        assert await provider.query_status(ref) == first
    assert server.charge_count(renewal) == 0

    paid = provider.parse_webhook(server.complete_session("cs_test_a1"))
    captured = await provider.capture(paid, expected=PRICE)
    assert (captured.state, captured.ref) == (PaymentState.PAID, first.ref)
    assert captured.mandate == Mandate("cus_0:pm_1", "Visa •••• 4242")
    assert await provider.charge(mandate, renewal) == captured


async def test_a_charge_without_consent_fails(server, provider) -> None:
    mandate = await save_card(server, provider)
    renewal = sample_request(PaymentMethod.CARD)
    server.decline_error = CONSENT_REQUIRED
    first = await provider.charge(mandate, renewal)
    server.sessions["cs_test_a1"].update(status="expired", url=None)

    with pytest.raises(PaymentError) as refused:
        await provider.charge(mandate, renewal)
    assert refused.value.permanent
    assert (await provider.query_status(first.ref)).state is PaymentState.FAILED


async def test_a_removed_card_is_a_permanent_error(server, provider) -> None:
    mandate = await save_card(server, provider)
    for removed in (Mandate("cus_0:pm_none"), Mandate("cus_none:pm_0")):
        with pytest.raises(PaymentError) as refused:
            await provider.charge(removed, sample_request(PaymentMethod.CARD))
        assert refused.value.permanent
    assert mandate
    with pytest.raises(ValueError, match="not one of Stripe"):
        await provider.charge(Mandate("pm_0"), sample_request(PaymentMethod.CARD))


async def test_a_pending_charge_can_be_cancelled(server, provider) -> None:
    mandate = await save_card(server, provider)
    renewal = sample_request(PaymentMethod.CARD)
    await provider.charge(mandate, renewal)
    server.intents["pi_1"]["status"] = "processing"

    payment = await provider.cancel(PaymentRef(renewal.reference, "pi_1"))
    assert payment.state is PaymentState.FAILED


@pytest.mark.parametrize(
    ("status", "state"),
    [("succeeded", RefundState.SUCCEEDED), ("pending", RefundState.PENDING),
     ("requires_action", RefundState.PENDING), ("failed", RefundState.FAILED),
     ("canceled", RefundState.FAILED)],
)  # fmt: skip
async def test_a_repeated_refund_returns_its_state(server, provider, status, state) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)
    await provider.refund(action.ref, Money(327), refund_reference="R1")
    server.refund_objects["re_0"]["status"] = status
    server.clear_idempotency_keys()

    for ref in (
        action.ref,
        PaymentRef(action.ref.reference),
        PaymentRef(action.ref.reference, "pi_0"),
    ):
        assert (await provider.refund(ref, Money(327), refund_reference="R1")).state is state
    assert server.refunded_amount(action.ref) == 327


async def test_a_refund_whose_response_was_lost_is_made_once(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)
    refund = server.create_refund

    def lose_response(params: dict) -> dict:
        server.drops_responses = True
        return refund(params)

    server.create_refund = lose_response
    with pytest.raises(PaymentError):
        await provider.refund(action.ref, PRICE, refund_reference="R1")
    server.recover()

    assert (
        await provider.refund(action.ref, PRICE, refund_reference="R1")
    ).state is RefundState.SUCCEEDED
    assert server.refunded_amount(action.ref) == PRICE.grosze


async def test_refunds_never_exceed_the_payment(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)

    states = [
        (await provider.refund(action.ref, Money(10_000), refund_reference=uuid4().hex)).state
        for _ in range(2)
    ]
    assert states == [RefundState.SUCCEEDED, RefundState.FAILED]
    assert [called for called, _ in server.requests].count("POST refunds") == 1
    wrong_currency = await provider.refund(
        action.ref, Money(1, "EUR"), refund_reference=uuid4().hex
    )
    assert wrong_currency.state is RefundState.FAILED
    assert server.refunded_amount(action.ref) == 10_000


async def test_an_unpaid_payment_is_not_refunded(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))

    for ref in (action.ref, PaymentRef("NONE")):
        assert (
            await provider.refund(ref, PRICE, refund_reference="R1")
        ).state is RefundState.FAILED


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"code": "charge_already_refunded"}, None), ({"param": "amount"}, None),
        ({"code": "charge_disputed"}, None),
        ({"code": "balance_insufficient"}, ProviderAccountError),
        ({"code": "parameter_unknown", "param": "x"}, StripeRequestError),
    ],
)  # fmt: skip
async def test_each_refund_error_has_its_result(server, provider, error, expected) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)

    def refused(params: dict) -> dict:
        raise invalid_request(**error)

    server.create_refund = refused
    refund_call = provider.refund(action.ref, PRICE, refund_reference="R1")
    if expected is None:
        assert (await refund_call).state is RefundState.FAILED
    else:
        with pytest.raises(expected):
            await refund_call


@pytest.mark.parametrize("operation", ["charge", "refund", "consent"])
async def test_concurrent_calls_have_one_effect(server, provider, operation) -> None:
    mandate = await save_card(server, provider)
    renewal = sample_request(PaymentMethod.CARD)
    paid = PaymentRef(server.sessions["cs_test_a0"]["client_reference_id"], "cs_test_a0")
    server.list_objects = lambda url, *_: list_page(
        url, []
    )  # both search before either has sent its call
    server.decline_error = CONSENT_REQUIRED if operation == "consent" else None

    async def ask() -> object:
        if operation == "refund":
            return await provider.refund(paid, Money(327), refund_reference="R1")
        return await provider.charge(mandate, renewal)

    first, second = await asyncio.gather(ask(), ask())

    assert first == second
    assert server.charge_count(renewal) == (operation == "charge")
    assert server.refunded_amount(paid) == (327 if operation == "refund" else 0)
    assert len(server.sessions) == (2 if operation == "consent" else 1)


async def save_card(server, provider) -> Mandate:
    """Pay with a card that may be charged again."""
    request = msgspec.structs.replace(sample_request(PaymentMethod.CARD), save_payment_method=True)
    action = await provider.create_payment(request)
    await server.pay(action)
    return (await provider.query_status(action.ref)).mandate
