"""Stripe from the checkout to the order handler, by HTTP on real sockets."""

from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import msgspec
import pytest

from prawko.hooks.payments import Money, PaymentMethod, PaymentProvider, PaymentRef
from prawko.payments.errors import PaymentUnavailableError
from support.database import fetch_rows
from support.payments import ANNA_PAYER, PRICE, SELLER_VARIABLES, PaymentScenario, final_states
from support.servers.stripe import (
    SECRET_KEY,
    WEBHOOK_SECRET,
    FakeStripe,
    event_webhook,
    public_fields,
    signed_webhook,
    stripe_event,
)
from support.servers.stripe_account import CARD_DECLINED, CONSENT_REQUIRED

pytestmark = pytest.mark.anyio

NAME = "stripe"
PAID = "checkout.session.completed"


@pytest.fixture
async def stripe() -> AsyncIterator[FakeStripe]:
    fake = FakeStripe()
    async with fake.serve():
        yield fake


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """The installed plugin is found as in production."""
    return []


@pytest.fixture
def variables(variables, stripe) -> dict[str, str]:
    return {
        **variables,
        **SELLER_VARIABLES,
        "PAYMENT_PROVIDERS": NAME,
        "PAYMENTS_STRIPE_SECRET_KEY": SECRET_KEY,
        "PAYMENTS_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
        "PAYMENTS_STRIPE_URL": stripe.url,
        "PAYMENTS_STRIPE_BLIK": "true",
    }


@pytest.fixture
async def mandate(scenario: PaymentScenario, stripe) -> UUID:
    """A card that Anna has saved."""
    payment_id, action = await scenario.start_payment(save_payment_method=True)
    await scenario.post_webhook(NAME, await stripe.pay(action))
    await scenario.process_webhooks()
    [sold] = await fetch_rows(
        scenario.logins, "SELECT params::jsonb->>'mandate' AS id FROM notice WHERE dedup_key = $1",
        str(payment_id),
    )  # fmt: skip
    return UUID(sold["id"])


async def prepare_renewal(scenario: PaymentScenario, mandate: UUID) -> UUID:
    async with scenario.context.database.tenant(scenario.tenant_id) as session:
        return await scenario.payments.create_charge(
            session, uuid4(), PRICE, mandate, "Prawko, 30 dni", ANNA_PAYER
        )


async def test_a_payment_on_its_page_counts(scenario: PaymentScenario, stripe) -> None:
    payment_id, action = await scenario.start_payment()
    assert action.url == "https://checkout.stripe.test/c/pay/cs_test_a0"
    called = await stripe.pay(action)

    assert [await scenario.post_webhook(NAME, called) for _ in range(5)] == [200] * 5
    assert await scenario.payment_state(payment_id) == "open"
    await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]
    [stored] = await scenario.webhook_events()
    assert stored["outcome"] == "applied"


async def test_a_payment_with_a_lost_webhook_is_found_within_twenty_minutes(
    scenario: PaymentScenario, stripe
) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.BLIK)
    await stripe.pay(action)
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_a_session_whose_response_was_lost_is_found_by_our_reference(
    scenario: PaymentScenario, stripe
) -> None:
    purchase = scenario.make_request()
    payment_id = await scenario.create_payment(purchase)
    stripe.drops_responses = True
    with pytest.raises(PaymentUnavailableError):
        await scenario.payments.start(scenario.tenant_id, payment_id, purchase)
    stripe.recover()
    row = await scenario.payment_row(payment_id)
    stripe.complete_session("cs_test_a0")
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()

    assert stripe.sessions["cs_test_a0"]["client_reference_id"] == row["reference"]
    assert await scenario.payment_state(payment_id) == "paid"
    assert len(stripe.sessions) == 1


async def test_forged_and_old_webhooks_have_no_effect(scenario: PaymentScenario, stripe) -> None:
    payment_id, action = await scenario.start_payment()
    await stripe.pay(action)
    event = stripe_event(PAID, public_fields(stripe.sessions[action.ref.provider_ref]))
    forged_requests = [
        signed_webhook(event, secret="whsec_another"),
        signed_webhook(event, age=301),
        signed_webhook(event, header=""),
        msgspec.structs.replace(signed_webhook(event), body=signed_webhook(event).body + b" "),
    ]

    assert [await scenario.post_webhook(NAME, forged) for forged in forged_requests] == [401] * len(
        forged_requests
    )
    other_mode = event_webhook(PAID, event["data"]["object"], livemode=True)
    assert await scenario.post_webhook(NAME, other_mode) == 200
    assert await scenario.webhook_events() == []
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "open"


async def test_another_amount_or_currency_is_reported_and_fulfils_nothing(
    scenario: PaymentScenario, stripe
) -> None:
    for paid, kind in (({"amount_received": 100}, "wrong_amount"),
                       ({"currency": "eur"}, "wrong_currency")):  # fmt: skip
        payment_id, action = await scenario.start_payment()
        called = await stripe.pay(action)
        intent = stripe.sessions[action.ref.provider_ref]["payment_intent"]
        stripe.intents[intent].update(paid)
        await scenario.post_webhook(NAME, called)
        await scenario.process_webhooks()

        assert await scenario.payment_state(payment_id) == "mismatched"
        assert await scenario.handler_events(payment_id) == []
        assert kind in [discrepancy["kind"] for discrepancy in await scenario.discrepancies()]


async def test_any_order_of_its_four_webhooks_has_the_same_result(
    scenario: PaymentScenario, stripe
) -> None:
    async def script(action):
        paid = await stripe.pay(action)
        session = public_fields(stripe.sessions[action.ref.provider_ref])
        refund = {
            "id": f"re_{action.ref.reference}",
            "object": "refund",
            "amount": 1,
            "currency": "pln",
            "status": "failed",
            "payment_intent": session["payment_intent"],
            "metadata": {"prawko_order": action.ref.reference, "prawko_refund": "R1"},
        }
        return [
            paid,
            event_webhook("checkout.session.async_payment_succeeded", session),
            event_webhook("checkout.session.expired", session),
            event_webhook("refund.failed", refund),
        ]

    provider = scenario.context.plugins.payments[NAME]
    assert await final_states(scenario, provider, PaymentMethod.CARD, script) == {
        ("paid", ("sold",), ())
    }


async def test_any_order_of_webhooks_ends_with_the_refund(
    scenario: PaymentScenario, stripe
) -> None:
    provider = scenario.context.plugins.payments[NAME]
    paid = {}

    async def post_failure(action):
        paid[action.ref.reference] = await stripe.pay(action)
        return [paid[action.ref.reference]]

    async def script(action):
        await provider.refund(action.ref, PRICE, refund_reference=f"R{action.ref.reference}")
        session = public_fields(stripe.sessions[action.ref.provider_ref])
        refund = next(reversed(stripe.refund_objects.values()))
        charge = stripe.charge_objects[stripe.intents[session["payment_intent"]]["latest_charge"]]
        return [
            paid[action.ref.reference],
            event_webhook("checkout.session.expired", session),
            event_webhook("refund.updated", refund),
            event_webhook("charge.refunded", charge),
        ]

    assert await final_states(
        scenario, provider, PaymentMethod.CARD, script, first=post_failure
    ) == {("refunded", ("sold", "taken back"), ("refunded_elsewhere",))}


async def test_a_partial_refund_does_not_reverse_the_payment(
    scenario: PaymentScenario, stripe
) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook(NAME, await stripe.pay(action))
    await scenario.process_webhooks()
    provider = scenario.context.plugins.payments[NAME]
    await provider.refund(PaymentRef(action.ref.reference), Money(327), refund_reference="R1")
    await scenario.post_webhook(
        NAME, event_webhook("charge.refunded", stripe.charge_objects["ch_0"])
    )
    await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_a_saved_card_is_charged_once(scenario: PaymentScenario, stripe, mandate) -> None:
    payment_id = await prepare_renewal(scenario, mandate)
    for _ in range(2):
        view = await scenario.payments.charge(scenario.tenant_id, payment_id)
        assert view.state == "paid"
    intent = stripe.intents["pi_1"]
    await scenario.post_webhook(NAME, event_webhook("payment_intent.succeeded", intent))
    await scenario.process_webhooks()

    assert await scenario.handler_events(payment_id) == ["sold"]
    assert len(stripe.charge_objects) == 2


async def test_a_charge_that_requires_consent_is_paid_on_its_page(
    scenario: PaymentScenario, stripe, mandate
) -> None:
    payment_id = await prepare_renewal(scenario, mandate)
    stripe.decline_error = CONSENT_REQUIRED
    view = await scenario.payments.charge(scenario.tenant_id, payment_id)
    failed = event_webhook("payment_intent.payment_failed", stripe.intents["pi_1"])
    await scenario.post_webhook(NAME, failed)
    await scenario.process_webhooks()

    assert (view.state, view.url) == ("open", "https://checkout.stripe.test/c/pay/cs_test_a1")
    assert await scenario.payment_state(payment_id) == "open", (
        "the refusal is what asked for consent"
    )
    await scenario.post_webhook(NAME, stripe.complete_session("cs_test_a1"))
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_a_declined_card_fails_once(scenario: PaymentScenario, stripe, mandate) -> None:
    payment_id = await prepare_renewal(scenario, mandate)
    stripe.decline_error = CARD_DECLINED
    view = await scenario.payments.charge(scenario.tenant_id, payment_id)
    await scenario.post_webhook(
        NAME, event_webhook("payment_intent.payment_failed", stripe.intents["pi_1"])
    )
    await scenario.process_webhooks()

    assert (view.state, view.reason) == (
        "failed",
        "Stripe answered 402 card_declined insufficient_funds req_1",
    )
    assert await scenario.payment_state(payment_id) == "failed"
    assert await scenario.handler_events(payment_id) == ["failed"]


async def test_a_cancelled_payment_expires_its_session(scenario: PaymentScenario, stripe) -> None:
    order_id = uuid4()
    payment_id, _ = await scenario.start_payment(order_id=order_id)
    await scenario.payments.cancel_pending(scenario.tenant_id, [order_id])

    assert stripe.sessions["cs_test_a0"]["status"] == "expired"
    assert await scenario.payment_state(payment_id) in {"failed", "expired"}


async def test_a_cancelled_payment_that_was_paid_before_is_paid_and_keeps_its_card(
    scenario: PaymentScenario, stripe
) -> None:
    order_id = uuid4()
    payment_id, action = await scenario.start_payment(order_id=order_id, save_payment_method=True)
    await stripe.pay(action)
    await scenario.payments.cancel_pending(scenario.tenant_id, [order_id])

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]
    [mandate] = await fetch_rows(scenario.logins, "SELECT ended_at FROM payment_mandate")
    assert mandate["ended_at"] is None


async def test_nothing_is_lost_while_its_server_is_down_or_refuses_us(
    scenario: PaymentScenario, stripe
) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook(NAME, await stripe.pay(action))
    stripe.respond_with(503, stripe_should_retry="false")
    await scenario.process_webhooks()
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()
    assert (await scenario.payment_state(payment_id), await scenario.open_incidents()) == (
        "open",
        [],
    )

    stripe.respond_with(401, {"error": {"type": "invalid_request_error"}})
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()
    assert (await scenario.payment_state(payment_id), await scenario.open_incidents()) == (
        "open",
        ["payments_refused"],
    )


async def test_a_dispute_is_reported_for_its_payment(scenario: PaymentScenario, stripe) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook(NAME, await stripe.pay(action))
    await scenario.process_webhooks()
    charge = stripe.charge_objects["ch_0"]
    charge["disputed"] = True
    dispute = {
        "id": "dp_1", "object": "dispute", "payment_intent": charge["payment_intent"],
        "amount": charge["amount"], "currency": charge["currency"], "metadata": {},
    }  # fmt: skip
    for foreign in (False, True):  # the second event is about an intent of another shop
        if foreign:
            dispute = {**dispute, "id": "dp_2", "payment_intent": "pi_foreign"}
        webhook = event_webhook("charge.dispute.created", dispute, id=f"evt_{dispute['id']}")
        assert await scenario.post_webhook(NAME, webhook) == 200
        assert await scenario.process_webhooks() == 1

    assert await scenario.handler_events(payment_id) == ["sold", "disputed"]
    assert await scenario.open_incidents() == ["disputed"]
