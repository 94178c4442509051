"""Stripe's events: which are believed, which are ours, and that none is the truth."""

from datetime import timedelta

import msgspec
import pytest

from prawko.hooks.callbacks import ForgedCallbackError
from prawko.hooks.payments import EventKind, Method, Money, PaymentRef, PaymentState
from prawko.testing.provider_contract import PRICE, order
from prawko_payments_stripe import payment_providers
from stripe_account import CHARGE, INTENT, REFUND, SESSION, given
from stripe_stub import call, event, event_call, public

pytestmark = pytest.mark.anyio


async def test_an_event_is_never_believed(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))
    session = {**public(server.sessions["cs_test_a0"]), "payment_status": "paid"}
    lie = provider.read_event(event_call("checkout.session.completed", session))

    assert (lie.kind, lie.ref) == (EventKind.PAID, redirect.ref)
    assert (await provider.confirm(lie, expected=PRICE)).state is PaymentState.OPEN


@pytest.mark.parametrize(
    ("kind", "thing", "read"),
    [
        ("checkout.session.completed", SESSION, (EventKind.PAID, "cs_test_1", 18327, None)),
        ("checkout.session.async_payment_succeeded", SESSION,
         (EventKind.PAID, "cs_test_1", 18327, None)),
        ("checkout.session.async_payment_failed", {**SESSION, "payment_status": "unpaid"},
         (EventKind.FAILED, "cs_test_1", 18327, None)),
        ("checkout.session.expired", {**SESSION, "payment_status": "unpaid"},
         (EventKind.FAILED, "cs_test_1", 18327, None)),
        ("payment_intent.succeeded", INTENT, (EventKind.PAID, "pi_1", 18327, None)),
        ("payment_intent.payment_failed", {**INTENT, "status": "requires_payment_method"},
         (EventKind.FAILED, "pi_1", 18327, None)),
        ("payment_intent.canceled", {**INTENT, "status": "canceled"},
         (EventKind.FAILED, "pi_1", 18327, None)),
        ("refund.created", REFUND, (EventKind.REFUNDED, "pi_1", 327, "R1")),
        ("refund.updated", REFUND, (EventKind.REFUNDED, "pi_1", 327, "R1")),
        ("refund.failed", {**REFUND, "status": "failed"},
         (EventKind.REFUND_REFUSED, "pi_1", 327, "R1")),
        ("refund.updated", {**REFUND, "status": "canceled"},
         (EventKind.REFUND_REFUSED, "pi_1", 327, "R1")),
        ("charge.refunded", CHARGE, (EventKind.REFUNDED, "pi_1", 327, None)),
        ("charge.refunded", {**CHARGE, "metadata": INTENT["metadata"]},
         (EventKind.REFUNDED, "pi_1", 327, None)),
    ],
)  # fmt: skip
def test_an_event_is_read_as_it_is(kind, thing, read) -> None:
    provider = payment_providers(given())[0]
    found = provider.read_event(event_call(kind, thing, created=1795240123))

    name = found.ref.provider_ref
    assert (found.kind, name, found.money.grosze, found.refund_key) == read
    assert (found.ref.key, found.money.currency) == ("K1", "PLN")
    assert found.event_id == event(kind, thing)["id"]
    assert found.at.timestamp() == 1795240123


@pytest.mark.parametrize("secret", ["whsec_old", "whsec_new"])
def test_while_the_secret_is_rolled_both_sign(secret) -> None:
    provider = payment_providers(given(WEBHOOK_SECRET="whsec_new,whsec_old"))[0]

    assert provider.read_event(call(event("checkout.session.completed", SESSION), secret=secret))


def test_the_age_is_measured_when_the_call_came(caplog) -> None:
    provider = payment_providers(given())[0]
    old = call(event("checkout.session.completed", SESSION), age=3600)
    waited = msgspec.structs.replace(old, received_at=old.received_at - timedelta(hours=1))

    assert provider.read_event(waited)
    with pytest.raises(ForgedCallbackError):
        provider.read_event(old)


def test_a_live_key_reads_live_events_alone() -> None:
    provider = payment_providers(given(SECRET_KEY="rk_live_1"))[0]
    kind = "checkout.session.completed"

    assert provider.read_event(event_call(kind, SESSION, livemode=True))
    assert provider.read_event(event_call(kind, SESSION)) is None


@pytest.mark.parametrize("share", [18327, 327])
async def test_what_was_given_back_whole_is_refunded(server, provider, share) -> None:
    redirect = await provider.start(order(Method.CARD))
    await server.pay(redirect)
    await provider.refund(redirect.ref, Money(share), key="R1")

    whole = share == PRICE.grosze
    found = await provider.status(redirect.ref)
    assert found.state is (PaymentState.REFUNDED if whole else PaymentState.PAID)
    back = provider.read_event(event_call("charge.refunded", server.charged["ch_0"]))
    assert back.ref == PaymentRef(redirect.ref.key, "pi_0")
    assert await provider.confirm(back, expected=PRICE) == found
