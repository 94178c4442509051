"""Verifying and parsing Stripe's webhooks."""

from datetime import timedelta

import msgspec
import pytest

from prawko.hooks.payments import Money, PaymentEventKind, PaymentMethod, PaymentRef, PaymentState
from prawko.hooks.webhooks import WebhookVerificationError
from prawko_payments_stripe import payment_providers
from prawko_testing.provider_contract import PRICE, sample_request
from support.servers.stripe import event_webhook, public_fields, signed_webhook, stripe_event
from support.servers.stripe_account import CHARGE, INTENT, REFUND, SESSION, stripe_environment

pytestmark = pytest.mark.anyio


async def test_an_event_is_never_trusted(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    session = {**public_fields(server.sessions["cs_test_a0"]), "payment_status": "paid"}
    false_event = provider.parse_webhook(event_webhook("checkout.session.completed", session))

    assert (false_event.kind, false_event.ref) == (PaymentEventKind.PAID, action.ref)
    assert (await provider.capture(false_event, expected=PRICE)).state is PaymentState.OPEN


@pytest.mark.parametrize(
    ("kind", "stripe_object", "read"),
    [
        ("checkout.session.completed", SESSION, (PaymentEventKind.PAID, "cs_test_1", 18327, None)),
        ("checkout.session.async_payment_succeeded", SESSION,
         (PaymentEventKind.PAID, "cs_test_1", 18327, None)),
        ("checkout.session.async_payment_failed", {**SESSION, "payment_status": "unpaid"},
         (PaymentEventKind.FAILED, "cs_test_1", 18327, None)),
        ("checkout.session.expired", {**SESSION, "payment_status": "unpaid"},
         (PaymentEventKind.FAILED, "cs_test_1", 18327, None)),
        ("payment_intent.succeeded", INTENT, (PaymentEventKind.PAID, "pi_1", 18327, None)),
        ("payment_intent.payment_failed", {**INTENT, "status": "requires_payment_method"},
         (PaymentEventKind.FAILED, "pi_1", 18327, None)),
        ("payment_intent.canceled", {**INTENT, "status": "canceled"},
         (PaymentEventKind.FAILED, "pi_1", 18327, None)),
        ("refund.created", REFUND, (PaymentEventKind.REFUNDED, "pi_1", 327, "R1")),
        ("refund.updated", REFUND, (PaymentEventKind.REFUNDED, "pi_1", 327, "R1")),
        ("refund.failed", {**REFUND, "status": "failed"},
         (PaymentEventKind.REFUND_FAILED, "pi_1", 327, "R1")),
        ("refund.updated", {**REFUND, "status": "canceled"},
         (PaymentEventKind.REFUND_FAILED, "pi_1", 327, "R1")),
        ("charge.refunded", CHARGE, (PaymentEventKind.REFUNDED, "pi_1", 327, None)),
        ("charge.refunded", {**CHARGE, "metadata": INTENT["metadata"]},
         (PaymentEventKind.REFUNDED, "pi_1", 327, None)),
    ],
)  # fmt: skip
def test_each_event_is_parsed(kind, stripe_object, read) -> None:
    provider = payment_providers(stripe_environment())[0]
    event = provider.parse_webhook(event_webhook(kind, stripe_object, created=1795240123))

    name = event.ref.provider_ref
    assert (event.kind, name, event.money.grosze, event.refund_reference) == read
    assert (event.ref.reference, event.money.currency) == ("K1", "PLN")
    assert event.event_id == stripe_event(kind, stripe_object)["id"]
    assert event.occurred_at.timestamp() == 1795240123


@pytest.mark.parametrize("secret", ["whsec_old", "whsec_new"])
def test_both_secrets_are_valid_during_a_rotation(secret) -> None:
    provider = payment_providers(stripe_environment(WEBHOOK_SECRET="whsec_new,whsec_old"))[0]

    assert provider.parse_webhook(
        signed_webhook(stripe_event("checkout.session.completed", SESSION), secret=secret)
    )


def test_the_age_of_a_signature_is_measured_at_arrival(caplog) -> None:
    provider = payment_providers(stripe_environment())[0]
    old_request = signed_webhook(stripe_event("checkout.session.completed", SESSION), age=3600)
    processed_late = msgspec.structs.replace(
        old_request, received_at=old_request.received_at - timedelta(hours=1)
    )

    assert provider.parse_webhook(processed_late)
    with pytest.raises(WebhookVerificationError):
        provider.parse_webhook(old_request)


def test_a_live_key_accepts_live_events_only() -> None:
    provider = payment_providers(stripe_environment(SECRET_KEY="rk_live_1"))[0]
    kind = "checkout.session.completed"

    assert provider.parse_webhook(event_webhook(kind, SESSION, livemode=True))
    assert provider.parse_webhook(event_webhook(kind, SESSION)) is None


@pytest.mark.parametrize("refunded", [18327, 327])
async def test_a_full_refund_is_parsed(server, provider, refunded) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)
    await provider.refund(action.ref, Money(refunded), refund_reference="R1")

    is_full = refunded == PRICE.grosze
    payment = await provider.query_status(action.ref)
    assert payment.state is (PaymentState.REFUNDED if is_full else PaymentState.PAID)
    event = provider.parse_webhook(event_webhook("charge.refunded", server.charge_objects["ch_0"]))
    assert event.ref == PaymentRef(action.ref.reference, "pi_0")
    assert await provider.capture(event, expected=PRICE) == payment


def dispute_event(server):
    charge = server.charge_objects["ch_0"]
    charge["disputed"] = True
    dispute = {
        "id": "dp_1", "object": "dispute", "charge": charge["id"], "metadata": {},
        "payment_intent": charge["payment_intent"], "amount": charge["amount"],
        "currency": charge["currency"], "status": "needs_response",
    }  # fmt: skip
    return event_webhook("charge.dispute.created", dispute)


async def test_whose_payment_is_disputed_is_found_by_stripes_own_id(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)

    event = provider.parse_webhook(dispute_event(server))

    assert (event.kind, event.ref) == (PaymentEventKind.DISPUTED, PaymentRef("", "pi_0"))
    payment = await provider.query_status(event.ref)
    assert (payment.ref, payment.state) == (action.ref, PaymentState.DISPUTED)


async def test_a_dispute_of_another_shop_is_ignored(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)
    event = provider.parse_webhook(dispute_event(server))
    server.intents["pi_0"]["metadata"] = {}

    assert await provider.query_status(event.ref) is None
    assert await provider.query_status(PaymentRef("")) is None
