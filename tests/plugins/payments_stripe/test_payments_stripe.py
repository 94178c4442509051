"""An order as a page of Stripe's, from its start to its end, and what goes wrong between."""

import json
import logging
import subprocess
import sys

import msgspec
import pytest
import stripe

from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import Method, Money, PaymentError, PaymentRef, PaymentState
from prawko.testing.provider_contract import PRICE, order
from prawko_payments_stripe import PREFIX, payment_providers
from prawko_payments_stripe.client import VERSION
from prawko_payments_stripe.failures import RejectedRequestError
from stripe_account import DECLINED, INTENT, SESSION, given
from stripe_stub import KEY, SECRET

pytestmark = pytest.mark.anyio


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


def test_the_version_of_the_api_is_the_sdks() -> None:
    """Another one answers with other shapes than the SDK's types say."""
    assert stripe.api_version == VERSION
