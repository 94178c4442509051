"""Checkout: price, validation, payment methods, and where the browser goes next."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from prawko.billing.models import OrderKind
from prawko.billing.repository import OrderRepository
from prawko.hooks.payments import (
    Money,
    NextAction,
    PaymentError,
    PaymentMethod,
    PaymentState,
    TransferInstructions,
)
from prawko_tenants.ids import TenantId
from support.database import execute_as_owner, fetch_rows, insert_subscription
from support.orders import ACME_DETAILS, OrderScenario, fetch_subscription, parse_instant
from support.people import make_impersonated

pytestmark = pytest.mark.anyio

CHECKOUT = "/api/subscription/create-checkout-session"
CHANGE = "/api/subscription/change-limit"
TABLE = Path(__file__).parents[3] / "frontend/src/lib/price-table.json"
LIMIT = "Minimum 5 kierowców"


async def assert_refused(person, body, status, key) -> dict:
    answer = await person.post(CHECKOUT, body)
    assert (answer.status_code, answer.json()["error"]) == (status, key), answer.text
    return answer.json()


async def test_the_browser_is_sent_to_the_hosted_page(anna, scenario: OrderScenario, fake) -> None:
    answer = await anna.post(CHECKOUT, {"driverLimit": 15, **ACME_DETAILS})

    assert answer.status_code == 200
    [(key, order)] = fake.requests.items()
    assert answer.json()["url"] == f"https://pay.test/{key}"
    assert order.money == Money(306_27)
    assert order.method is PaymentMethod.CARD
    assert order.save_payment_method is True
    assert order.description == "Prawko: 30 dni, do 15 kierowców"
    assert (order.payer.email, order.payer.name) == (anna.email, ACME_DETAILS["companyName"])
    page = f"/panel/subscription/success?order={answer.json()['orderId']}"
    assert order.return_url == f"http://127.0.0.1:8000{page}"


async def test_an_order_is_shown_to_its_company_alone(anna, accountant, celina, scenario) -> None:
    order = await scenario.place_order(anna, 15)

    payload = (await accountant.get(f"/api/orders/{order}")).json()
    key = (await scenario.payment_redirect(order)).ref.reference
    assert payload == {
        "id": order, "kind": "period", "state": "open", "method": "card", "driverLimit": 15,
        "net": 249_00, "vat": 57_27, "gross": 306_27, "createdAt": payload["createdAt"],
        "url": f"https://pay.test/{key}", "transfer": None, "reason": None,
    }  # fmt: skip
    assert (await fetch_subscription(anna))["openOrder"] == payload
    assert (await celina.get(f"/api/orders/{order}")).status_code == 404
    assert (await fetch_subscription(celina))["openOrder"] is None
    await scenario.pay(anna, order)
    paid = (await accountant.get(f"/api/orders/{order}")).json()
    assert paid == {**payload, "state": "paid", "url": None}


async def test_nothing_is_activated_before_the_provider_has_confirmed(anna, scenario, fake) -> None:
    """The success page activates nothing (docs/rules.md R24)."""
    before = await fetch_subscription(anna)
    order = await scenario.place_order(anna, 15)
    callback = await fake.pay(await scenario.payment_redirect(order))
    await anna.get(f"/api/orders/{order}")
    await scenario.post_webhook(anna, callback)

    assert {**await fetch_subscription(anna), "openOrder": None, "user": before["user"]} == before

    await scenario.process_webhooks()

    assert (await fetch_subscription(anna))["isTrial"] is False
    assert (await fetch_subscription(anna))["openOrder"] is None


async def test_given_billing_details_are_saved_and_need_not_be_repeated(anna, scenario) -> None:
    await scenario.place_order(anna, 5)
    assert (await fetch_subscription(anna))["user"] == ACME_DETAILS
    assert (await anna.get("/api/user")).json()["companyName"] == ACME_DETAILS["companyName"]

    answer = await anna.post(CHECKOUT, {"driverLimit": 5, "city": "Łódź"})

    assert answer.status_code == 200
    assert (await scenario.order_row(answer.json()["orderId"]))["city"] == "Łódź"
    assert (await fetch_subscription(anna))["user"] == {**ACME_DETAILS, "city": "Łódź"}


async def test_an_order_needs_billing_details(anna, fake) -> None:
    payload = await assert_refused(anna, {"driverLimit": 5}, 422, "billing_details_required")

    assert payload == {
        "error": "billing_details_required",
        "message": "Uzupełnij dane rozliczeniowe, zanim zamówisz subskrypcję.",
    }
    details = {**ACME_DETAILS, "postalCode": "00950"}
    payload = await assert_refused(
        anna, {"driverLimit": 5, **details}, 422, "invalid_billing_details"
    )
    assert payload["fields"] == {"postalCode": "Nieprawidłowy format kodu pocztowego"}
    assert payload["message"] == "Nieprawidłowy format kodu pocztowego"
    assert fake.requests == {}


STEPS = "Limit wybiera się co 5 kierowców"
REFUSED = {
    0: LIMIT,
    -5: LIMIT,
    4: LIMIT,
    6: STEPS,
    7: STEPS,
    10_005: "Najwyżej 10 000 kierowców",
    5: "Masz 6 kierowców. Usuń część z nich albo wybierz wyższy limit",
}
NO_LIMITS = ("5", "", "tekst", 5.5, True, None, [5], {}, 2**70)


async def test_a_refused_limit_never_reaches_a_provider(anna, worker, fake, logins) -> None:
    await insert_subscription(anna, worker, driver_limit=10)
    for attempt in range(6):
        await anna.add_driver(f"AA12345{attempt}")
    fake.failure = AssertionError("no provider may be called")
    before = await fetch_subscription(anna)

    for limit, sentence in REFUSED.items():
        payload = await assert_refused(
            anna, {"driverLimit": limit, **ACME_DETAILS}, 422, "invalid_driver_limit"
        )
        assert payload["message"] == sentence
        assert payload["fields"] == {"driverLimit": sentence}
        quote = await anna.get(f"/api/subscription/quote?driverLimit={limit}")
        change = await anna.post(CHANGE, {"driverLimit": limit, "method": "card"})
        assert [(answer.status_code, answer.json()) for answer in (quote, change)] == [
            (422, payload)
        ] * 2
    for limit in NO_LIMITS:
        payload = await assert_refused(
            anna, {"driverLimit": limit, **ACME_DETAILS}, 422, "invalid_driver_limit"
        )
        change = await anna.post(CHANGE, {"driverLimit": limit, "method": "card"})
        assert (change.status_code, change.json()) == (422, payload)
    for body in ({}, ACME_DETAILS):
        await assert_refused(anna, body, 422, "invalid_driver_limit")
    for limit in ("", "tekst", "5.5", "null", str(2**70)):
        quote = await anna.get(f"/api/subscription/quote?driverLimit={limit}")
        assert (quote.status_code, quote.json()["error"]) == (422, "invalid_driver_limit"), limit

    assert await fetch_rows(logins, "SELECT * FROM subscription_order") == []
    assert await fetch_rows(logins, "SELECT * FROM payment") == []
    assert fake.requests == {}
    assert await fetch_subscription(anna) == before


async def test_an_error_names_the_malformed_field(anna, scenario) -> None:
    for field, key in (
        ("companyName", "invalid_billing_details"),
        ("taxId", "invalid_billing_details"),
        ("method", "invalid_payment_method"),
        ("blikCode", "invalid_payment_method"),
    ):
        await assert_refused(anna, {"driverLimit": 5, **ACME_DETAILS, field: 5}, 422, key)
    await assert_refused(
        anna, {"driverLimit": 5, **ACME_DETAILS, "coupon": "x"}, 400, "bad_request"
    )


async def test_quotes_orders_and_payment_requests_have_the_prices_of_the_table(
    newcomer, scenario, fake
) -> None:
    """The frontend tests its pages against the same table."""
    rows = [row for row in json.loads(TABLE.read_text()) if row["driverLimit"] % 5 == 0]
    for row in rows:
        limit, price = row["driverLimit"], {name: row[name] for name in ("net", "vat", "gross")}
        quote = (await newcomer.get(f"/api/subscription/quote?driverLimit={limit}")).json()
        assert {name: quote[name] for name in price} == price
        order = await scenario.place_order(newcomer, limit)
        payload = (await newcomer.get(f"/api/orders/{order}")).json()
        assert {name: payload[name] for name in price} == price
        stored = await scenario.order_row(order)
        assert (stored["net"], stored["vat"]) == (price["net"], price["vat"])
        request = fake.requests[(await scenario.payment_redirect(order)).ref.reference]
        assert request.money == Money(price["gross"])
    assert [row["driverLimit"] for row in rows] == [5, 10, 15, 50, 100, 500, 10_000]


async def test_the_english_message_of_the_minimum_limit(anna) -> None:
    assert (await anna.put("/api/user/language", {"language": "en"})).status_code == 200

    payload = await assert_refused(
        anna, {"driverLimit": 4, **ACME_DETAILS}, 422, "invalid_driver_limit"
    )

    assert payload["message"] == "Minimum 5 drivers"


async def test_a_payment_method_that_is_not_offered_is_refused(anna, fake) -> None:
    for extra, field in (
        ({"method": "cash"}, "method"),
        ({"method": "card", "blikCode": "123456"}, "blikCode"),
        ({"method": "blik", "blikCode": "12345"}, "blikCode"),
        ({"method": "blik", "blikCode": "12345x"}, "blikCode"),
        ({"method": "blik", "blikCode": "\uff11" * 6}, "blikCode"),
    ):
        body = {"driverLimit": 5, **ACME_DETAILS, **extra}
        payload = await assert_refused(anna, body, 422, "invalid_payment_method")
        assert [*payload["fields"]] == [field]
    assert fake.requests == {}


async def test_a_blik_code_needs_no_hosted_page(anna, fake) -> None:
    start = fake.create_payment

    async def by_app(order) -> NextAction:
        return NextAction(ref=(await start(order)).ref, expires_in_seconds=120)

    fake.create_payment = by_app
    answer = await anna.post(
        CHECKOUT, {"driverLimit": 5, **ACME_DETAILS, "method": "blik", "blikCode": "123456"}
    )

    [order] = fake.requests.values()
    assert (order.method, order.blik_code) == (PaymentMethod.BLIK, "123456")
    page = f"/panel/subscription/success?order={answer.json()['orderId']}"
    assert answer.json()["url"] == page


async def test_transfer_details_are_on_our_page(anna, scenario, fake) -> None:
    start = fake.create_payment
    transfer = TransferInstructions(
        title="PRAWKO 123", iban="PL00", owner="Prawko", address="Prosta 1"
    )

    async def by_bank(order) -> NextAction:
        return NextAction(ref=(await start(order)).ref, transfer=transfer)

    fake.create_payment = by_bank
    answer = await anna.post(CHECKOUT, {"driverLimit": 5, **ACME_DETAILS, "method": "transfer"})

    order = answer.json()["orderId"]
    assert answer.json()["url"] == f"/panel/subscription?order={order}"
    payload = (await anna.get(f"/api/orders/{order}")).json()
    assert payload["transfer"] == {
        "title": "PRAWKO 123", "iban": "PL00", "owner": "Prawko", "address": "Prosta 1",
    }  # fmt: skip
    assert (
        fake.requests[(await scenario.payment_redirect(order)).ref.reference].save_payment_method
        is False
    )  # a transfer creates no mandate


async def test_the_payment_methods_are_those_of_the_providers(anna) -> None:
    payload = (await anna.get("/api/payment-methods")).json()

    assert payload == [
        {"method": "card", "blikCode": False, "renews": True},
        {"method": "blik", "blikCode": True, "renews": False},
        {"method": "przelewy24", "blikCode": False, "renews": False},
        {"method": "transfer", "blikCode": False, "renews": False},
    ]


async def test_a_declined_payment_is_reported_and_the_order_has_failed(
    anna, scenario, fake, logins
) -> None:
    fake.failure = PaymentError("the code was wrong", permanent=True)

    await assert_refused(
        anna, {"driverLimit": 5, **ACME_DETAILS, "method": "blik"}, 422, "payment_refused"
    )

    [order] = await fetch_rows(logins, "SELECT * FROM subscription_order")
    assert order["state"] == "failed"
    payload = (await anna.get(f"/api/orders/{order['id']}")).json()
    assert (payload["state"], payload["url"]) == ("failed", None)
    assert (await fetch_subscription(anna))["openOrder"] is None


async def test_an_order_whose_provider_did_not_answer_is_superseded_by_a_new_one(
    anna, scenario, fake, logins
) -> None:
    fake.failure = PaymentError("away")
    await assert_refused(anna, {"driverLimit": 5, **ACME_DETAILS}, 503, "payment_unavailable")
    fake.failure = None

    second = await scenario.place_order(anna, 10)

    first, other = await fetch_rows(logins, "SELECT * FROM subscription_order ORDER BY id")
    assert str(other["id"]) == second
    assert (first["state"], str(first["superseded_by"])) == ("open", second)
    assert (await fetch_subscription(anna))["openOrder"]["id"] == second


async def test_a_new_order_cancels_the_older_one(anna, scenario, fake) -> None:
    first = await scenario.place_order(anna, 5)
    second = await scenario.place_order(anna, 10)

    assert (await scenario.order_row(first))["state"] == "failed"  # the provider has cancelled it
    assert (await scenario.order_row(second))["superseded_by"] is None
    await scenario.pay(anna, second)
    assert (await fetch_subscription(anna))["driverLimit"] == 10


async def test_a_new_order_fulfils_the_older_one_that_was_paid_in_the_meantime(
    anna, scenario, fake
) -> None:
    """The panel hears of it first, from the provider that was to cancel the payment."""
    first = await scenario.place_order(anna, 5)
    paid = await scenario.payment_redirect(first)
    await fake.pay(paid)
    fake.give_consent(paid.ref.reference)

    second = await scenario.place_order(anna, 10)

    assert (await scenario.order_row(first))["state"] == "paid"
    assert (await scenario.order_row(second))["state"] == "open"
    subscription = await fetch_subscription(anna)
    assert (subscription["status"], subscription["driverLimit"]) == ("active", 5)
    [mandate] = await fetch_rows(scenario.logins, "SELECT ended_at FROM payment_mandate")
    assert mandate["ended_at"] is None


@pytest.mark.parametrize(
    ("answer", "state", "kinds"),
    [
        ({"state": PaymentState.FAILED}, "failed", []),
        ({"state": PaymentState.PAID, "money": Money(1)}, "open", ["wrong_amount"]),
        ({"state": PaymentState.PAID, "money": Money(5000, "EUR")}, "open", ["wrong_currency"]),
        ({"state": PaymentState.REFUNDED}, "failed", []),
        ({"state": PaymentState.DISPUTED}, "open", ["disputed"]),
    ],
    ids=["failed", "another amount", "another currency", "refunded", "disputed"],
)
async def test_whatever_the_provider_answers_for_the_older_order_the_new_one_is_placed(
    anna, scenario, fake, answer, state, kinds
) -> None:
    first = await scenario.place_order(anna, 5)
    reference = (await scenario.payment_redirect(first)).ref.reference
    payment = msgspec.structs.replace(fake.payments[reference], **answer)
    fake.payments[reference] = payment

    second = await scenario.place_order(anna, 10)

    assert (await scenario.order_row(second))["state"] == "open"
    assert (await scenario.order_row(first))["state"] == state
    assert await scenario.discrepancy_kinds() == kinds


async def test_concurrent_orders_leave_one_open(newcomer, scenario, fake, monkeypatch) -> None:
    """The company is locked while an order is saved, even if its details do not change."""
    await newcomer.put("/api/user/billing-details", ACME_DETAILS)
    barrier, available, add = asyncio.Barrier(4), fake.available_methods, OrderRepository.add

    async def all_at_once(money):
        await barrier.wait()
        return await available(money)

    async def slowly(self, order):
        await add(self, order)
        await asyncio.sleep(0.05)  # an order that did not wait for the lock would get here

    fake.available_methods = all_at_once
    monkeypatch.setattr(OrderRepository, "add", slowly)
    limits = (5, 10, 15, 20)  # answers of available_methods are cached by amount
    await asyncio.wait_for(asyncio.gather(*(scenario.place_order(newcomer, n) for n in limits)), 60)

    rows = await fetch_rows(
        scenario.logins, "SELECT * FROM subscription_order WHERE superseded_by IS NULL"
    )
    assert len(rows) == 1
    await scenario.pay(newcomer, str(rows[0]["id"]))
    assert (await fetch_subscription(newcomer))["status"] == "active"


async def insert_pending_renewal(person, scenario: OrderScenario) -> None:
    """Turn an open order into a renewal, as one whose charge awaits consent."""
    order = await scenario.place_order(person, 15, method="blik", blikCode="123456")
    tenant_id = TenantId(await person.tenant_id(scenario.worker))
    async with scenario.worker.database.tenant(tenant_id) as session:
        row = await OrderRepository(session).get(UUID(order))
        assert row is not None
        row.kind = OrderKind.RENEWAL


async def test_no_transaction_is_open_while_a_provider_is_called(
    anna, scenario, fake, fleet
) -> None:
    """Checkout, BLIK code, limit change by hosted page and by mandate, cancellation."""
    calls: list[tuple[str, int]] = []

    def watch_calls(name):
        method = getattr(fake, name)

        async def counted(*args, **kwargs):
            calls.append((name, await fleet.count_idle_transactions()))
            return await method(*args, **kwargs)

        setattr(fake, name, counted)

    for name in ("available_methods", "create_payment", "charge", "cancel"):
        watch_calls(name)
    await scenario.buy(anna, 5)
    blik = {"method": "blik", "blikCode": "123456"}
    for body in ({"driverLimit": 10, **blik}, {"driverLimit": 15}):
        answer = await anna.post(CHANGE, body)
        assert answer.status_code == 200, answer.text
    await insert_pending_renewal(anna, scenario)
    seen_before = len(calls)
    assert (await anna.post("/api/subscription/cancel")).status_code == 200

    assert [name for name, _ in calls[seen_before:]] == ["cancel"]
    assert {name for name, _ in calls} == {
        "available_methods",
        "create_payment",
        "charge",
        "cancel",
    }
    assert {n for _, n in calls} == {0}


async def test_a_suspended_company_orders_nothing(anna, worker, fake) -> None:
    await insert_subscription(anna, worker, status="inactive")

    payload = await assert_refused(
        anna, {"driverLimit": 5, **ACME_DETAILS}, 409, "subscription_suspended"
    )

    assert "operatora" in payload["message"]
    assert fake.requests == {}


async def test_orders_are_limited_per_hour(anna, scenario, fake) -> None:
    for _ in range(20):
        await scenario.place_order(anna, 5)

    answer = await anna.post(CHECKOUT, {"driverLimit": 5, **ACME_DETAILS})

    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert len(fake.requests) == 20


async def test_an_impersonating_operator_cannot_order_cancel_or_resume(
    anna, worker, logins
) -> None:
    await insert_subscription(anna, worker)
    await make_impersonated(logins.owner)
    for verb, path, body in (
        ("POST", CHECKOUT, {"driverLimit": 5, **ACME_DETAILS}),
        ("POST", CHANGE, {"driverLimit": 10}),
        ("POST", "/api/subscription/cancel", None),
        ("POST", "/api/subscription/resume", None),
        ("PUT", "/api/user/billing-details", ACME_DETAILS),
    ):
        answer = await anna.browser.request(verb, path, json=body)
        assert (answer.status_code, answer.json()["error"]) == (403, "auth_forbidden")


async def test_the_quote_has_the_price_and_the_end_of_the_order(anna, scenario, clock) -> None:
    trial_end = parse_instant((await fetch_subscription(anna))["endDate"])

    quote = (await anna.get("/api/subscription/quote?driverLimit=50")).json()

    expected_line = {"kind": "period", "days": None, "net": 599_00, "vat": 137_77, "gross": 736_77}
    assert quote == {
        "driverLimit": 50, "lines": [expected_line], "net": 599_00, "vat": 137_77, "gross": 736_77,
        "newEndDate": quote["newEndDate"], "limitFrom": None, "change": None,
    }  # fmt: skip
    assert parse_instant(quote["newEndDate"]) - trial_end == timedelta(days=30)
    await scenario.buy(anna, 50)
    assert (await fetch_subscription(anna))["endDate"] == quote["newEndDate"]


async def test_a_session_that_ends_during_a_providers_call_orders_nothing(
    anna, fake, logins
) -> None:
    available = fake.available_methods

    async def sign_out(money):
        await execute_as_owner(logins, "UPDATE login_session SET revoked_at = now()")
        return await available(money)

    fake.available_methods = sign_out
    answer = await anna.post(CHECKOUT, {"driverLimit": 5, **ACME_DETAILS})

    assert (answer.status_code, answer.json()["error"]) == (401, "auth_required")
    assert fake.requests == {}
    assert await fetch_rows(logins, "SELECT * FROM subscription_order") == []


async def test_the_state_is_read_again_when_the_order_is_saved(anna, scenario, fake) -> None:
    """Another order is paid while the methods are requested: the price changes."""
    await scenario.buy(anna, 5)
    first = await scenario.place_order(anna, 10)
    available = fake.available_methods

    async def pay_meanwhile(money):
        fake.available_methods = available
        await scenario.pay(anna, first)
        return await available(money)

    fake.available_methods = pay_meanwhile
    order = await scenario.place_order(anna, 15)

    # 67 days from 10 to 15 drivers, not 37 from 5 to 15.
    assert (await scenario.order_row(order))["net"] == 111_67 + 249_00
