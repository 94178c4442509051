"""Payments by Checkout sessions, and their failures."""

import json
import logging
import subprocess
import sys

import msgspec
import pytest
import stripe

from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import Money, PaymentError, PaymentMethod, PaymentRef, PaymentState
from prawko_payments_stripe import PREFIX, payment_providers
from prawko_payments_stripe.client import API_VERSION
from prawko_payments_stripe.errors import StripeRequestError
from prawko_testing.provider_contract import PRICE, sample_request
from support.servers.stripe import SECRET_KEY, WEBHOOK_SECRET
from support.servers.stripe_account import CARD_DECLINED, INTENT, SESSION, stripe_environment

pytestmark = pytest.mark.anyio


async def test_a_payment_is_a_session_of_its_own(server, provider) -> None:
    request = sample_request(PaymentMethod.CARD)
    action = await provider.create_payment(request)

    [(called, sent)] = server.requests
    assert called == "POST checkout/sessions"
    assert action.ref == PaymentRef(request.reference, "cs_test_a0")
    assert action.url == server.sessions["cs_test_a0"]["url"]
    assert action.expires_in_seconds == 3600
    assert 3590 <= int(sent["expires_at"]) - server.now <= 3610
    [item] = sent["line_items"].values()
    assert item["price_data"] == {
        "currency": "pln", "unit_amount": "18327", "product_data": {"name": request.description},
    }  # fmt: skip
    assert sent["metadata"] == {"prawko_order": request.reference}
    assert sent["payment_intent_data"]["metadata"] == {"prawko_order": request.reference}
    assert sent["client_reference_id"] == request.reference
    assert sent["customer_email"] == request.payer.email
    assert sent["success_url"] == sent["cancel_url"] == request.return_url
    assert sent["adaptive_pricing"] == {"enabled": "false"}
    assert (sent["mode"], sent["locale"]) == ("payment", "pl")
    assert server.headers[0]["idempotency-key"] == f"order-{request.reference}"


@pytest.mark.parametrize(
    ("method", "kind"),
    [(PaymentMethod.CARD, "card"), (PaymentMethod.BLIK, "blik"), (PaymentMethod.PRZELEWY24, "p24")],
)
async def test_a_session_offers_the_chosen_method_only(server, provider, method, kind) -> None:
    await provider.create_payment(sample_request(method))

    assert server.requests[0][1]["allowed_payment_method_types"] == {"0": kind}


async def test_methods_that_are_not_enabled_are_not_offered(server) -> None:
    provider = payment_providers(stripe_environment(URL=server.url))[0]

    assert provider.capabilities.methods == {PaymentMethod.CARD}
    for request in (
        sample_request(PaymentMethod.BLIK), sample_request(PaymentMethod.TRANSFER),
        msgspec.structs.replace(sample_request(PaymentMethod.CARD), blik_code="777123"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not offered in this way"):
            await provider.create_payment(request)
    assert server.calls == 0


@pytest.mark.parametrize(
    ("money", "remaining"),
    [
        (PRICE, {PaymentMethod.CARD, PaymentMethod.PRZELEWY24}),
        (Money(199), set()),
        (Money(200), {PaymentMethod.CARD, PaymentMethod.PRZELEWY24}),
    ],
)
async def test_disabled_methods_and_low_amounts_are_not_available(
    server, provider, money, remaining
) -> None:
    server.enabled_methods["blik"] = False

    assert await provider.available_methods(money) == remaining


async def test_a_session_without_the_chosen_method_is_an_account_error(server, provider) -> None:
    server.enabled_methods["blik"] = False

    with pytest.raises(ProviderAccountError, match="blik is not enabled"):
        await provider.create_payment(sample_request(PaymentMethod.BLIK))
    assert server.sessions["cs_test_a0"]["status"] == "expired"


async def test_a_refused_email_is_a_permanent_error(provider) -> None:
    request = sample_request(PaymentMethod.CARD)
    payer = msgspec.structs.replace(request.payer, email="anna")

    with pytest.raises(PaymentError) as refused:
        await provider.create_payment(msgspec.structs.replace(request, payer=payer))
    assert refused.value.permanent


@pytest.mark.parametrize("url", [None, "", "javascript:alert(1)", "http://x.test", "http://[::1"])
async def test_a_session_without_a_safe_url_is_an_error(server, provider, url) -> None:
    server.respond_with(200, {**SESSION, "status": "open", "url": url})

    with pytest.raises(PaymentError, match="has no URL"):
        await provider.create_payment(sample_request(PaymentMethod.CARD))


async def test_a_session_whose_response_was_lost_is_found_by_our_reference(
    server, provider
) -> None:
    request = sample_request(PaymentMethod.CARD)
    server.drops_responses = True
    with pytest.raises(PaymentError) as failed:
        await provider.create_payment(request)
    server.recover()

    assert not failed.value.permanent
    assert server.calls == 3
    assert len(server.sessions) == 1
    payment = await provider.query_status(PaymentRef(request.reference))
    assert (payment.state, payment.ref.provider_ref) == (PaymentState.OPEN, "cs_test_a0")


async def test_a_session_is_found_among_many(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    foreign_session = server.sessions[action.ref.provider_ref]
    for number in range(250):
        name = f"cs_other_{number}"
        server.sessions[name] = {
            **foreign_session, "id": name, "metadata": None, "amount_total": None, "currency": None,
        }  # fmt: skip

    assert (await provider.query_status(PaymentRef(action.ref.reference))).ref == action.ref


async def test_an_old_payment_is_found_by_search(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)
    server.age_objects(hours=24 * 30)

    payment = await provider.query_status(PaymentRef(action.ref.reference))
    assert (payment.state, payment.ref) == (PaymentState.PAID, action.ref)
    server.search_lags = True
    assert await provider.query_status(PaymentRef(action.ref.reference)) is None


async def test_a_payment_with_another_reference_is_not_found(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    await server.pay(action)

    for name in (action.ref.provider_ref, "pi_0", "cs_test_none", "pi_none"):
        assert await provider.query_status(PaymentRef("OTHER", name)) is None


@pytest.mark.parametrize(
    ("page", "intent", "state", "reason"),
    [
        ({}, None, PaymentState.OPEN, ""),
        ({}, {"last_payment_error": CARD_DECLINED}, PaymentState.OPEN, ""),
        ({"status": "expired"}, None, PaymentState.FAILED, "expired"),
        ({"status": "expired"}, {"status": "succeeded", "amount_received": 18327},
         PaymentState.PAID, ""),
        ({"status": "complete"}, {"status": "processing"}, PaymentState.OPEN, ""),
        ({"status": "complete"}, {"last_payment_error": CARD_DECLINED}, PaymentState.FAILED,
         "insufficient_funds"),
        ({"status": "complete"}, {"status": "canceled"}, PaymentState.FAILED, "expired"),
    ],
)  # fmt: skip
async def test_each_session_status_is_translated(
    server, provider, page, intent, state, reason
) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    session = server.sessions[action.ref.provider_ref]
    session.update(page)
    if intent is not None:
        other_intent = server.create_intent(
            18327, "pln", {"prawko_order": action.ref.reference}, **intent
        )
        session["payment_intent"] = other_intent["id"]

    payment = await provider.query_status(action.ref)
    assert (payment.state, payment.reason) == (state, reason)


@pytest.mark.parametrize("amount", [1, 18326, 18328])
async def test_the_received_amount_counts(server, provider, amount) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    event_of_it = provider.parse_webhook(await server.pay(action))
    server.intents["pi_0"]["amount_received"] = amount

    captured = await provider.capture(event_of_it, expected=PRICE)
    assert (captured.state, captured.money) == (PaymentState.PAID, Money(amount))


async def test_a_payment_is_cancelled_by_its_reference_alone(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))

    assert (await provider.cancel(PaymentRef(action.ref.reference))).state is PaymentState.FAILED
    assert server.sessions["cs_test_a0"]["status"] == "expired"


async def test_a_payment_that_is_paid_during_cancellation_stays_paid(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    expire = server.expire_session

    def too_late(session: dict) -> dict:
        server.complete_session(session["id"])
        return expire(session)

    server.expire_session = too_late
    assert (await provider.cancel(action.ref)).state is PaymentState.PAID


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (200, " ", PaymentError),
        (200, "null", PaymentError),
        (200, "[]", PaymentError),
        (200, "{}", PaymentError),
        (200, "1", PaymentError),
        (200, {**SESSION, "amount_total": 0}, PaymentError),
        (200, {**SESSION, "amount_total": None}, PaymentError),
        (200, {**SESSION, "payment_intent": None}, PaymentError),
        (200, {**SESSION, "payment_intent": {**INTENT, "amount_received": 0}}, PaymentError),
        (302, "", PaymentError),
        (400, {"error": {"type": "x"}}, StripeRequestError),
        (400, {"error": {"type": "idempotency_error"}}, StripeRequestError),
        (401, "<html>", ProviderAccountError),
        (403, {"error": {"type": "x"}}, ProviderAccountError),
        (404, "<html>", PaymentError),
        (404, {"error": {"type": "x"}}, StripeRequestError),
        (409, {"error": {"type": "x"}}, PaymentError),
        (429, "", PaymentError),
        (429, {"error": {"type": "x"}}, PaymentError),
        (500, {"error": "x"}, PaymentError),
    ],
)
async def test_an_incomplete_or_unexpected_response_is_an_error(
    server, provider, status, body, expected
) -> None:
    server.respond_with(status, body, stripe_should_retry="false")

    with pytest.raises(expected) as refused:
        await provider.query_status(PaymentRef("K1", "cs_test_1"))
    assert not getattr(refused.value, "permanent", False)


async def test_a_rate_limit_names_the_delay(server, provider) -> None:
    server.respond_with(429, {"error": {"type": "x"}}, Retry_After="7")

    with pytest.raises(PaymentError) as failed:
        await provider.query_status(PaymentRef("K1", "cs_test_1"))
    assert failed.value.retry_after == 7.0


async def test_a_concurrent_request_with_the_same_key_is_retried(server, provider) -> None:
    placed = sample_request(PaymentMethod.CARD)
    answer = server.respond
    statuses = iter([409, 503])

    def busy(request: object, text: str) -> tuple[int, dict]:
        status = next(statuses, 200)
        return answer(request, text) if status == 200 else (status, {"error": {"type": "x"}})

    server.respond = busy
    assert (await provider.create_payment(placed)).url
    assert {headers["idempotency-key"] for headers in server.headers} == {
        f"order-{placed.reference}"
    }
    assert server.calls == 3


async def test_no_secret_or_email_is_logged_or_sent_elsewhere(server, provider, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    request = sample_request(PaymentMethod.CARD)
    await provider.create_payment(request)
    payer = msgspec.structs.replace(request.payer, email="anna")
    with pytest.raises(PaymentError) as refused:
        await provider.create_payment(
            msgspec.structs.replace(request, payer=payer, reference="OTHER")
        )
    server.respond_with(401, {"error": {"type": "x", "message": f"Invalid API Key: {SECRET_KEY}"}})
    with pytest.raises(ProviderAccountError) as account:
        await provider.query_status(PaymentRef("K1", "cs_test_1"))

    printed = f"{caplog.text} {refused.value} {account.value}"
    assert SECRET_KEY not in printed
    assert "anna" not in printed
    for headers in server.headers:
        assert "x-stripe-client-telemetry" not in headers
        user_agent = json.loads(headers["x-stripe-client-user-agent"])
        assert {"platform", "telemetry_id"} & set(user_agent) == set()


def test_it_is_absent_without_settings() -> None:
    assert payment_providers(Environment({})) == []


def test_the_sdk_is_not_imported_without_settings() -> None:
    program = "import sys, prawko_payments_stripe; sys.exit('stripe' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"), ({"WEBHOOK_SECRET": ""}, "WEBHOOK_SECRET"),
        ({"SECRET_KEY": "pk_test_1"}, "SECRET_KEY"), ({"SECRET_KEY": WEBHOOK_SECRET}, "SECRET_KEY"),
        ({"SECRET_KEY": "sk_test_1\n"}, "SECRET_KEY"), ({"SECRET_KEY": "sk_1"}, "SECRET_KEY"),
        ({"WEBHOOK_SECRET": SECRET_KEY}, "WEBHOOK_SECRET"),
        ({"WEBHOOK_SECRET": "whsec_1,"}, "WEBHOOK_SECRET"),
        ({"WEBHOOK_SECRET": "whsec_1, whsec_2"}, "WEBHOOK_SECRET"),
        ({"URL": "http://stripe.example"}, "URL"), ({"URL": "http://[::1"}, "URL"),
        ({"BLIK": "perhaps"}, "BLIK"),
    ],
)  # fmt: skip
def test_an_incomplete_configuration_names_the_variable(settings, variable) -> None:
    with pytest.raises(SettingsError) as refused:
        payment_providers(stripe_environment(**settings))
    assert refused.value.variable == f"{PREFIX}_{variable}"
    assert SECRET_KEY not in str(refused.value)


def test_the_api_version_is_the_sdks() -> None:
    """Another one answers with other shapes than the SDK's types say."""
    assert stripe.api_version == API_VERSION
