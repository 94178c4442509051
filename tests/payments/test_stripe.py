"""Stripe from the checkout to the buyer: its calls over HTTP, its API on a real socket."""

from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import msgspec
import pytest

from payments_shop import ANNA, PRICE, SELLER, Shop, ends
from prawko.hooks.payments import Method, Money, PaymentProvider, PaymentRef
from prawko.payments.errors import PaymentUnavailableError
from stored import look
from stripe_account import CONSENT, DECLINED
from stripe_stub import KEY, SECRET, FakeStripe, call, event, event_call, public

pytestmark = pytest.mark.anyio

NAME = "stripe"
PAID = "checkout.session.completed"


@pytest.fixture
async def stripe() -> AsyncIterator[FakeStripe]:
    fake = FakeStripe()
    async with fake.listening():
        yield fake


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """The installed plugin is found as in production."""
    return []


@pytest.fixture
def variables(variables, stripe) -> dict[str, str]:
    return {
        **variables,
        **SELLER,
        "PAYMENT_PROVIDERS": NAME,
        "PAYMENTS_STRIPE_SECRET_KEY": KEY,
        "PAYMENTS_STRIPE_WEBHOOK_SECRET": SECRET,
        "PAYMENTS_STRIPE_URL": stripe.url,
        "PAYMENTS_STRIPE_BLIK": "true",
    }


@pytest.fixture
async def mandate(shop: Shop, stripe) -> UUID:
    """A card that Anna has saved."""
    payment_id, redirect = await shop.buys(save=True)
    await shop.hears(NAME, await stripe.pay(redirect))
    await shop.works()
    [sold] = await look(
        shop.logins, "SELECT params::jsonb->>'mandate' AS id FROM notice WHERE dedup = $1",
        str(payment_id),
    )  # fmt: skip
    return UUID(sold["id"])


async def renewed(shop: Shop, mandate: UUID) -> UUID:
    async with shop.tools.database.tenant(shop.tenant_id) as session:
        return await shop.payments.prepare_charge(
            session, uuid4(), PRICE, mandate, "Prawko, 30 dni", ANNA
        )


async def test_who_pays_on_its_page_has_paid(shop: Shop, stripe) -> None:
    payment_id, redirect = await shop.buys()
    assert redirect.url == "https://checkout.stripe.test/c/pay/cs_test_a0"
    called = await stripe.pay(redirect)

    assert [await shop.hears(NAME, called) for _ in range(5)] == [200] * 5
    assert await shop.state(payment_id) == "open"
    await shop.works()

    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]
    [kept] = await shop.inbox()
    assert kept["outcome"] == "applied"


async def test_a_lost_call_is_made_up_for_within_twenty_minutes(shop: Shop, stripe) -> None:
    payment_id, redirect = await shop.buys(Method.BLIK)
    await stripe.pay(redirect)
    shop.worker.clock.forward(minutes=16)
    await shop.asks()

    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]


async def test_a_page_whose_answer_was_lost_is_found_by_its_key(shop: Shop, stripe) -> None:
    purchase = shop.purchase()
    payment_id = await shop.prepares(purchase)
    stripe.loses_its_answers = True
    with pytest.raises(PaymentUnavailableError):
        await shop.payments.start(shop.tenant_id, payment_id, purchase)
    stripe.works()
    row = await shop.row(payment_id)
    stripe.completed("cs_test_a0")
    shop.worker.clock.forward(minutes=16)
    await shop.asks()

    assert stripe.sessions["cs_test_a0"]["client_reference_id"] == row["key"]
    assert await shop.state(payment_id) == "paid"
    assert len(stripe.sessions) == 1


async def test_forged_and_old_calls_have_no_effect(shop: Shop, stripe) -> None:
    payment_id, redirect = await shop.buys()
    await stripe.pay(redirect)
    said = event(PAID, public(stripe.sessions[redirect.ref.provider_ref]))
    forged = [
        call(said, secret="whsec_another"), call(said, age=301), call(said, header=""),
        msgspec.structs.replace(call(said), body=call(said).body + b" "),
    ]  # fmt: skip

    assert [await shop.hears(NAME, one) for one in forged] == [401] * len(forged)
    other_mode = event_call(PAID, said["data"]["object"], livemode=True)
    assert await shop.hears(NAME, other_mode) == 200
    assert await shop.inbox() == []
    await shop.works()
    assert await shop.state(payment_id) == "open"


async def test_another_sum_or_currency_is_flagged_and_buys_nothing(shop: Shop, stripe) -> None:
    for paid, kind in (({"amount_received": 100}, "wrong_amount"),
                       ({"currency": "eur"}, "wrong_currency")):  # fmt: skip
        payment_id, redirect = await shop.buys()
        called = await stripe.pay(redirect)
        intent = stripe.sessions[redirect.ref.provider_ref]["payment_intent"]
        stripe.intents[intent].update(paid)
        await shop.hears(NAME, called)
        await shop.works()

        assert await shop.state(payment_id) == "mismatched"
        assert await shop.told(payment_id) == []
        assert kind in [finding["kind"] for finding in await shop.found()]


async def test_whatever_the_order_of_its_four_calls_there_is_one_end(shop: Shop, stripe) -> None:
    async def script(redirect):
        paid = await stripe.pay(redirect)
        session = public(stripe.sessions[redirect.ref.provider_ref])
        refund = {
            "id": f"re_{redirect.ref.key}", "object": "refund", "amount": 1, "currency": "pln",
            "status": "failed", "payment_intent": session["payment_intent"],
            "metadata": {"prawko_order": redirect.ref.key, "prawko_refund": "R1"},
        }  # fmt: skip
        return [
            paid,
            event_call("checkout.session.async_payment_succeeded", session),
            event_call("checkout.session.expired", session),
            event_call("refund.failed", refund),
        ]

    provider = shop.tools.plugins.payments[NAME]
    assert await ends(shop, provider, Method.CARD, script) == {("paid", ("sold",), ())}


async def test_whatever_the_order_a_refund_ends_it(shop: Shop, stripe) -> None:
    provider = shop.tools.plugins.payments[NAME]
    paid = {}

    async def first(redirect):
        paid[redirect.ref.key] = await stripe.pay(redirect)
        return [paid[redirect.ref.key]]

    async def script(redirect):
        await provider.refund(redirect.ref, PRICE, key=f"R{redirect.ref.key}")
        session = public(stripe.sessions[redirect.ref.provider_ref])
        refund = next(reversed(stripe.refund_objects.values()))
        charge = stripe.charged[stripe.intents[session["payment_intent"]]["latest_charge"]]
        return [
            paid[redirect.ref.key],
            event_call("checkout.session.expired", session),
            event_call("refund.updated", refund),
            event_call("charge.refunded", charge),
        ]

    assert await ends(shop, provider, Method.CARD, script, first=first) == {
        ("refunded", ("sold", "taken back"), ("refunded_elsewhere",))
    }


async def test_a_part_that_goes_back_takes_nothing_from_the_buyer(shop: Shop, stripe) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears(NAME, await stripe.pay(redirect))
    await shop.works()
    provider = shop.tools.plugins.payments[NAME]
    await provider.refund(PaymentRef(redirect.ref.key), Money(327), key="R1")
    await shop.hears(NAME, event_call("charge.refunded", stripe.charged["ch_0"]))
    await shop.works()

    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]


async def test_a_saved_card_renews_and_is_charged_once(shop: Shop, stripe, mandate) -> None:
    payment_id = await renewed(shop, mandate)
    for _ in range(2):
        view = await shop.payments.charge(shop.tenant_id, payment_id)
        assert view.state == "paid"
    intent = stripe.intents["pi_1"]
    await shop.hears(NAME, event_call("payment_intent.succeeded", intent))
    await shop.works()

    assert await shop.told(payment_id) == ["sold"]
    assert len(stripe.charged) == 2


async def test_a_charge_that_needs_consent_is_paid_on_its_page(shop: Shop, stripe, mandate) -> None:
    payment_id = await renewed(shop, mandate)
    stripe.declines = CONSENT
    view = await shop.payments.charge(shop.tenant_id, payment_id)
    failed = event_call("payment_intent.payment_failed", stripe.intents["pi_1"])
    await shop.hears(NAME, failed)
    await shop.works()

    assert (view.state, view.url) == ("open", "https://checkout.stripe.test/c/pay/cs_test_a1")
    assert await shop.state(payment_id) == "open", "the refusal is what asked for consent"
    await shop.hears(NAME, stripe.completed("cs_test_a1"))
    await shop.works()
    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]


async def test_a_declined_card_fails_once(shop: Shop, stripe, mandate) -> None:
    payment_id = await renewed(shop, mandate)
    stripe.declines = DECLINED
    view = await shop.payments.charge(shop.tenant_id, payment_id)
    await shop.hears(NAME, event_call("payment_intent.payment_failed", stripe.intents["pi_1"]))
    await shop.works()

    assert (view.state, view.reason) == (
        "failed",
        "Stripe said 402 card_declined insufficient_funds req_1",
    )
    assert await shop.state(payment_id) == "failed"
    assert await shop.told(payment_id) == ["failed"]


async def test_who_gives_up_closes_the_page(shop: Shop, stripe) -> None:
    purchase = shop.purchase()
    payment_id = await shop.prepares(purchase)
    await shop.payments.start(shop.tenant_id, payment_id, purchase)
    await shop.payments.give_up(shop.tenant_id, [purchase.order_id])

    assert stripe.sessions["cs_test_a0"]["status"] == "expired"
    assert await shop.state(payment_id) in {"failed", "expired"}


async def test_a_server_that_is_down_or_refuses_us_loses_nothing(shop: Shop, stripe) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears(NAME, await stripe.pay(redirect))
    stripe.says(503, stripe_should_retry="false")
    await shop.works()
    shop.worker.clock.forward(minutes=16)
    await shop.asks()
    assert (await shop.state(payment_id), await shop.incidents()) == ("open", [])

    stripe.says(401, {"error": {"type": "invalid_request_error"}})
    shop.worker.clock.forward(minutes=16)
    await shop.asks()
    assert (await shop.state(payment_id), await shop.incidents()) == ("open", ["payments_refused"])
