"""The Stripe provider keeps every promise of a provider, against its fake on a real socket."""

import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import uuid4

import msgspec
import pytest

from prawko.hooks.callbacks import Callback, ForgedCallbackError
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import (
    EventKind,
    Mandate,
    Method,
    Money,
    PaymentError,
    PaymentRef,
    PaymentState,
    RefundState,
)
from prawko.testing.asked_contract import RemoteProviderContract
from prawko.testing.provider_contract import PRICE, order
from prawko.testing.refunding_contract import RefundingContract
from prawko.testing.renewing_contract import RenewingContract
from prawko_payments_stripe import payment_providers
from prawko_payments_stripe.failures import RejectedRequestError
from prawko_payments_stripe.provider import StripeProvider
from stripe_stub import KEY, SECRET, FakeStripe, call, event, event_call, invalid, public

pytestmark = pytest.mark.anyio

PREFIX = "PAYMENTS_STRIPE"
DECLINED = {"code": "card_declined", "decline_code": "insufficient_funds"}
CONSENT = {"code": "authentication_required"}
SESSION = {
    "id": "cs_test_1", "object": "checkout.session", "amount_total": 18327, "currency": "pln",
    "metadata": {"prawko_order": "K1"}, "payment_status": "paid", "status": "complete",
}  # fmt: skip
INTENT = {
    "id": "pi_1", "object": "payment_intent", "amount": 18327, "amount_received": 18327,
    "currency": "pln", "metadata": {"prawko_charge": "K1"}, "status": "succeeded",
}  # fmt: skip
REFUND = {
    "id": "re_1", "object": "refund", "amount": 327, "currency": "pln", "status": "succeeded",
    "payment_intent": "pi_1", "metadata": {"prawko_order": "K1", "prawko_refund": "R1"},
}  # fmt: skip
CHARGE = {
    "id": "ch_1", "object": "charge", "amount": 18327, "amount_refunded": 327,
    "currency": "pln", "payment_intent": "pi_1", "metadata": {"prawko_order": "K1"},
}  # fmt: skip


def given(**settings: str) -> Environment:
    own = {"SECRET_KEY": KEY, "WEBHOOK_SECRET": SECRET, **settings}
    return Environment({f"{PREFIX}_{name}": value for name, value in own.items()})


def provider_to(server: FakeStripe, **settings: str) -> StripeProvider:
    methods = {"BLIK": "true", "PRZELEWY24": "true"}
    [made] = payment_providers(given(**{"URL": server.url, **methods, **settings}))
    return made


def saving(key: str = "") -> object:
    placed = order(Method.CARD)
    return msgspec.structs.replace(placed, save=True, key=key or placed.key)


async def saved_card(server: FakeStripe, provider: StripeProvider) -> Mandate:
    redirect = await provider.start(saving())
    await server.pay(redirect)
    return (await provider.status(redirect.ref)).mandate


@pytest.fixture
async def server() -> AsyncIterator[FakeStripe]:
    fake = FakeStripe()
    async with fake.listening():
        yield fake


@pytest.fixture
async def provider(server) -> AsyncIterator[StripeProvider]:
    made = provider_to(server)
    yield made
    await made.close()


class TestContract(RenewingContract, RefundingContract, RemoteProviderContract):
    """The promises of a provider that talks to a server, refunds and charges saved cards."""

    @pytest.fixture
    async def provider(self, server) -> AsyncIterator[StripeProvider]:
        made = provider_to(server)
        yield made
        await made.close()

    @pytest.fixture
    def bench(self, server) -> FakeStripe:
        return server

    @pytest.fixture
    def method(self) -> Method:
        return Method.CARD

    @pytest.fixture
    async def broken_provider(self, server) -> AsyncIterator[StripeProvider]:
        server.says(503, "<html>", Stripe_Should_Retry="false")
        made = provider_to(server)
        yield made
        await made.close()

    @pytest.fixture
    async def refusing_provider(self, server) -> AsyncIterator[StripeProvider]:
        made = provider_to(server, SECRET_KEY="sk_test_revoked")
        yield made
        await made.close()

    @pytest.fixture
    async def silent_provider(self, server) -> AsyncIterator[StripeProvider]:
        server.silent = True
        made = provider_to(server, DEADLINE="0.2")
        yield made
        await made.close()

    @pytest.fixture
    def forged(self) -> list[Callback]:
        genuine = event_call("checkout.session.completed", SESSION)
        header = genuine.headers["stripe-signature"]
        unsigned = msgspec.structs.replace(genuine, headers={})
        other_body = msgspec.structs.replace(genuine, body=genuine.body.replace(b"K1", b"K2"))
        later = f"t={int(header[2:12]) + 1}{header[12:]}"
        return [
            unsigned, other_body,
            call(genuine.body, secret="whsec_another"), call(genuine.body, secret=f"{SECRET} "),
            call(genuine.body, age=301), call(genuine.body, age=-301),
            *(call(genuine.body, header=one) for one in (
                "", "t=", "v1=", "t=x,v1=y", header.replace("v1", "v0"), later,
                header.split(",")[0], header.split(",")[1], f"{header}ą", header[:-1],
                header.upper(), f"t=1,{header}", header.replace("t=", "t=9999999999"),
            )),
            call(genuine.body + b"\xff", header=header),
        ]  # fmt: skip

    @pytest.fixture
    def garbled(self) -> list[Callback]:
        completed = "checkout.session.completed"
        return [
            *(call(body) for body in (b"", b"null", b"[]", b"{", b'{"object":1}')),
            call({"object": "event"}),
            *(event_call(completed, SESSION, **wrong) for wrong in (
                {"id": "cs_1"}, {"id": "evt_1\n"}, {"created": "now"}, {"created": 10**12},
                {"livemode": None}, {"data": {}}, {"data": {"object": 1}}, {"type": 1},
            )),
            *(event_call(completed, {**SESSION, **wrong}) for wrong in (
                {"amount_total": 0}, {"amount_total": "18327"}, {"amount_total": None},
                {"currency": "PLN"}, {"metadata": 1}, {"id": None},
            )),
            event_call("refund.updated", {**REFUND, "amount": -1}),
            event_call("refund.updated", {**REFUND, "payment_intent": None}),
        ]  # fmt: skip

    @pytest.fixture
    def of_no_interest(self) -> list[Callback]:
        others = [None, {}, {"prawko_order": ""}, {"prawko_order": "not/ours"}, {"order": "K1"}]
        completed = "checkout.session.completed"
        return [
            *(event_call(completed, {**SESSION, "metadata": other}) for other in others),
            event_call(completed, {**SESSION, "payment_status": "unpaid"}),
            event_call(completed, {**SESSION, "payment_status": "no_payment_required"}),
            event_call(completed, SESSION, livemode=True),
            event_call(completed, SESSION, account="acct_1"),
            event_call("plan.created", {"id": "price_1", "object": "plan"}),
            event_call("payment_intent.succeeded", {**INTENT, "metadata": SESSION["metadata"]}),
            event_call("refund.updated", {**REFUND, "metadata": {}}),
            event_call("refund.created", {**REFUND, "status": "pending"}),
            event_call("charge.refunded", {**CHARGE, "metadata": {}}),
            call({"object": "v2.core.event", "id": "evt_1", "type": "v1.billing.meter.no"}),
        ]  # fmt: skip


async def test_an_order_is_a_page_of_its_own(server, provider) -> None:
    placed = order(Method.CARD)
    redirect = await provider.start(placed)

    [(called, sent)] = server.asked
    assert called == "POST checkout/sessions"
    assert redirect.ref == PaymentRef(placed.key, "cs_test_a0")
    assert redirect.url == server.sessions["cs_test_a0"]["url"]
    assert redirect.open_seconds == 3600
    assert 3590 <= int(sent["expires_at"]) - server.now <= 3610
    [item] = sent["line_items"].values()
    assert item["price_data"] == {
        "currency": "pln", "unit_amount": "18327", "product_data": {"name": placed.title},
    }  # fmt: skip
    assert sent["metadata"] == {"prawko_order": placed.key}
    assert sent["payment_intent_data"]["metadata"] == {"prawko_order": placed.key}
    assert sent["client_reference_id"] == placed.key
    assert sent["customer_email"] == placed.payer.email
    assert sent["success_url"] == sent["cancel_url"] == placed.return_url
    assert sent["adaptive_pricing"] == {"enabled": "false"}
    assert (sent["mode"], sent["locale"]) == ("payment", "pl")
    assert server.headers[0]["idempotency-key"] == f"order-{placed.key}"


@pytest.mark.parametrize(
    ("method", "kind"),
    [(Method.CARD, "card"), (Method.BLIK, "blik"), (Method.PRZELEWY24, "p24")],
)
async def test_a_page_takes_the_chosen_method_alone(server, provider, method, kind) -> None:
    await provider.start(order(method))

    assert server.asked[0][1]["allowed_payment_method_types"] == {"0": kind}


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


async def test_methods_that_are_not_switched_on_are_not_offered(server) -> None:
    provider = payment_providers(given(URL=server.url))[0]

    assert provider.capabilities.methods == {Method.CARD}
    for placed in (
        order(Method.BLIK), order(Method.TRANSFER),
        msgspec.structs.replace(order(Method.CARD), blik_code="777123"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not paid by"):
            await provider.start(placed)
    assert server.calls == 0


@pytest.mark.parametrize(
    ("money", "left"),
    [
        (PRICE, {Method.CARD, Method.PRZELEWY24}),
        (Money(199), set()),
        (Money(200), {Method.CARD, Method.PRZELEWY24}),
    ],
)
async def test_what_is_off_or_too_little_is_not_available(server, provider, money, left) -> None:
    server.offers["blik"] = False

    assert await provider.available(money) == left


async def test_a_page_without_the_chosen_method_is_closed_and_ours_to_mend(
    server, provider
) -> None:
    server.offers["blik"] = False

    with pytest.raises(AccountError, match="blik is not switched on"):
        await provider.start(order(Method.BLIK))
    assert server.sessions["cs_test_a0"]["status"] == "expired"


async def test_a_wrong_email_is_the_payers(provider) -> None:
    placed = order(Method.CARD)
    payer = msgspec.structs.replace(placed.payer, email="anna")

    with pytest.raises(PaymentError) as refused:
        await provider.start(msgspec.structs.replace(placed, payer=payer))
    assert refused.value.permanent


@pytest.mark.parametrize("url", [None, "", "javascript:alert(1)", "http://x.test", "http://[::1"])
async def test_a_page_without_a_safe_address_leads_nowhere(server, provider, url) -> None:
    server.says(200, {**SESSION, "status": "open", "url": url})

    with pytest.raises(PaymentError, match="no address"):
        await provider.start(order(Method.CARD))


async def test_a_page_whose_answer_was_lost_is_found_by_its_key(server, provider) -> None:
    placed = order(Method.CARD)
    server.loses_its_answers = True
    with pytest.raises(PaymentError) as failed:
        await provider.start(placed)
    server.works()

    assert not failed.value.permanent
    assert server.calls == 3
    assert len(server.sessions) == 1
    found = await provider.status(PaymentRef(placed.key))
    assert (found.state, found.ref.provider_ref) == (PaymentState.OPEN, "cs_test_a0")


async def test_a_busy_account_is_looked_through(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))
    foreign = server.sessions[redirect.ref.provider_ref]
    for number in range(250):
        name = f"cs_other_{number}"
        server.sessions[name] = {
            **foreign, "id": name, "metadata": None, "amount_total": None, "currency": None,
        }  # fmt: skip

    assert (await provider.status(PaymentRef(redirect.ref.key))).ref == redirect.ref


async def test_what_was_paid_long_ago_is_searched_for(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))
    await server.pay(redirect)
    server.ages(hours=24 * 30)

    found = await provider.status(PaymentRef(redirect.ref.key))
    assert (found.state, found.ref) == (PaymentState.PAID, redirect.ref)
    server.search_is_late = True
    assert await provider.status(PaymentRef(redirect.ref.key)) is None


async def test_another_orders_payment_is_not_this_ones(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))
    await server.pay(redirect)

    for name in (redirect.ref.provider_ref, "pi_0", "cs_test_none", "pi_none"):
        assert await provider.status(PaymentRef("OTHER", name)) is None


@pytest.mark.parametrize(
    ("page", "intent", "state", "reason"),
    [
        ({}, None, PaymentState.OPEN, ""),
        ({}, {"last_payment_error": DECLINED}, PaymentState.OPEN, ""),
        ({"status": "expired"}, None, PaymentState.FAILED, "expired"),
        ({"status": "expired"}, {"status": "succeeded", "amount_received": 18327},
         PaymentState.PAID, ""),
        ({"status": "complete"}, {"status": "processing"}, PaymentState.OPEN, ""),
        ({"status": "complete"}, {"last_payment_error": DECLINED}, PaymentState.FAILED,
         "insufficient_funds"),
        ({"status": "complete"}, {"status": "canceled"}, PaymentState.FAILED, "expired"),
    ],
)  # fmt: skip
async def test_a_page_has_its_word(server, provider, page, intent, state, reason) -> None:
    redirect = await provider.start(order(Method.CARD))
    session = server.sessions[redirect.ref.provider_ref]
    session.update(page)
    if intent is not None:
        kept = server.intent(18327, "pln", {"prawko_order": redirect.ref.key}, **intent)
        session["payment_intent"] = kept["id"]

    found = await provider.status(redirect.ref)
    assert (found.state, found.reason) == (state, reason)


@pytest.mark.parametrize("amount", [1, 18326, 18328])
async def test_what_was_paid_counts_not_what_was_asked(server, provider, amount) -> None:
    redirect = await provider.start(order(Method.CARD))
    event_of_it = provider.read_event(await server.pay(redirect))
    server.intents["pi_0"]["amount_received"] = amount

    found = await provider.confirm(event_of_it, expected=PRICE)
    assert (found.state, found.money) == (PaymentState.PAID, Money(amount))


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


async def test_an_order_is_ended_by_its_key_alone(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))

    assert (await provider.cancel(PaymentRef(redirect.ref.key))).state is PaymentState.FAILED
    assert server.sessions["cs_test_a0"]["status"] == "expired"


async def test_an_order_that_is_paid_while_it_is_cancelled_stays_paid(server, provider) -> None:
    redirect = await provider.start(order(Method.CARD))
    expire = server.expire

    def too_late(session: dict) -> dict:
        server.completed(session["id"])
        return expire(session)

    server.expire = too_late
    assert (await provider.cancel(redirect.ref)).state is PaymentState.PAID


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


@pytest.mark.parametrize(
    ("status", "body", "means"),
    [
        (200, " ", PaymentError), (200, "null", PaymentError), (200, "[]", PaymentError),
        (200, "{}", PaymentError), (200, "1", PaymentError),
        (200, {**SESSION, "amount_total": 0}, PaymentError),
        (200, {**SESSION, "amount_total": None}, PaymentError),
        (200, {**SESSION, "payment_intent": None}, PaymentError),
        (200, {**SESSION, "payment_intent": {**INTENT, "amount_received": 0}}, PaymentError),
        (302, "", PaymentError), (400, {"error": {"type": "x"}}, RejectedRequestError),
        (400, {"error": {"type": "idempotency_error"}}, RejectedRequestError),
        (401, "<html>", AccountError), (403, {"error": {"type": "x"}}, AccountError),
        (404, "<html>", PaymentError), (404, {"error": {"type": "x"}}, RejectedRequestError),
        (409, {"error": {"type": "x"}}, PaymentError), (429, "", PaymentError),
        (429, {"error": {"type": "x"}}, PaymentError), (500, {"error": "x"}, PaymentError),
    ],
)  # fmt: skip
async def test_only_a_whole_answer_is_believed(server, provider, status, body, means) -> None:
    server.says(status, body, stripe_should_retry="false")

    with pytest.raises(means) as refused:
        await provider.status(PaymentRef("K1", "cs_test_1"))
    assert not getattr(refused.value, "permanent", False)


async def test_too_many_calls_are_tried_again_when_stripe_says(server, provider) -> None:
    server.says(429, {"error": {"type": "x"}}, Retry_After="7")

    with pytest.raises(PaymentError) as failed:
        await provider.status(PaymentRef("K1", "cs_test_1"))
    assert failed.value.retry_after == 7.0


async def test_an_answer_under_way_is_waited_for(server, provider) -> None:
    placed = order(Method.CARD)
    answer = server.answer
    turns = iter([409, 503])

    def busy(request: object, text: str) -> tuple[int, dict]:
        status = next(turns, 200)
        return answer(request, text) if status == 200 else (status, {"error": {"type": "x"}})

    server.answer = busy
    assert (await provider.start(placed)).url
    assert {headers["idempotency-key"] for headers in server.headers} == {f"order-{placed.key}"}
    assert server.calls == 3


async def test_no_secret_and_no_address_is_logged_or_sent_along(server, provider, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    placed = order(Method.CARD)
    await provider.start(placed)
    payer = msgspec.structs.replace(placed.payer, email="anna")
    with pytest.raises(PaymentError) as refused:
        await provider.start(msgspec.structs.replace(placed, payer=payer, key="OTHER"))
    server.says(401, {"error": {"type": "x", "message": f"Invalid API Key: {KEY}"}})
    with pytest.raises(AccountError) as account:
        await provider.status(PaymentRef("K1", "cs_test_1"))

    said = f"{caplog.text} {refused.value} {account.value}"
    assert KEY not in said
    assert "anna" not in said
    for headers in server.headers:
        assert "x-stripe-client-telemetry" not in headers
        about = json.loads(headers["x-stripe-client-user-agent"])
        assert {"platform", "telemetry_id"} & set(about) == set()


def test_without_variables_it_takes_no_part() -> None:
    assert payment_providers(Environment({})) == []


def test_where_nobody_is_paid_by_stripe_its_sdk_is_not_imported() -> None:
    program = "import sys, prawko_payments_stripe; sys.exit('stripe' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"), ({"WEBHOOK_SECRET": ""}, "WEBHOOK_SECRET"),
        ({"SECRET_KEY": "pk_test_1"}, "SECRET_KEY"), ({"SECRET_KEY": SECRET}, "SECRET_KEY"),
        ({"SECRET_KEY": "sk_test_1\n"}, "SECRET_KEY"), ({"SECRET_KEY": "sk_1"}, "SECRET_KEY"),
        ({"WEBHOOK_SECRET": KEY}, "WEBHOOK_SECRET"),
        ({"WEBHOOK_SECRET": "whsec_1,"}, "WEBHOOK_SECRET"),
        ({"WEBHOOK_SECRET": "whsec_1, whsec_2"}, "WEBHOOK_SECRET"),
        ({"URL": "http://stripe.example"}, "URL"), ({"URL": "http://[::1"}, "URL"),
        ({"MINUTES": "30"}, "MINUTES"), ({"MINUTES": "1440"}, "MINUTES"),
        ({"DEADLINE": "0"}, "DEADLINE"), ({"BLIK": "perhaps"}, "BLIK"),
    ],
)  # fmt: skip
def test_half_a_configuration_names_the_variable(settings, variable) -> None:
    with pytest.raises(SettingError) as refused:
        payment_providers(given(**settings))
    assert refused.value.variable == f"{PREFIX}_{variable}"
    assert KEY not in str(refused.value)
