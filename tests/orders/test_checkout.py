"""Ordering a period: what it costs, who may, and where the browser goes on."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from buying import ACME, Till, instant, shown
from prawko.billing.order_repository import OrderRepository
from prawko.billing.orders import OrderKind
from prawko.hooks.payments import Method, Money, PaymentError, Redirect, Transfer
from prawko_tenants.ids import TenantId
from stored import look, subscribed, write

pytestmark = pytest.mark.anyio

CHECKOUT = "/api/subscription/create-checkout-session"
CHANGE = "/api/subscription/change-limit"
TABLE = Path(__file__).parents[2] / "frontend/src/shared/price-table.json"
LIMIT = "Minimum 5 kierowców"


async def refused(person, body, status, key) -> dict:
    answer = await person.post(CHECKOUT, body)
    assert (answer.status_code, answer.json()["error"]) == (status, key), answer.text
    return answer.json()


async def test_the_browser_is_sent_to_the_providers_page(anna, till: Till, fake) -> None:
    answer = await anna.post(CHECKOUT, {"driverLimit": 15, **ACME})

    assert answer.status_code == 200
    [(key, order)] = fake.orders.items()
    assert answer.json()["url"] == f"https://pay.test/{key}"
    assert order.money == Money(306_27)
    assert order.method is Method.CARD
    assert order.save is True
    assert order.title == "Prawko: 30 dni, do 15 kierowców"
    assert (order.payer.email, order.payer.name) == (anna.email, ACME["companyName"])
    page = f"/panel/subscription/success?order={answer.json()['orderId']}"
    assert order.return_url == f"http://127.0.0.1:8000{page}"


async def test_an_order_is_shown_to_its_company_alone(anna, bartek, celina, till) -> None:
    order = await till.orders(anna, 15)

    told = (await bartek.get(f"/api/orders/{order}")).json()
    key = (await till.redirect(order)).ref.key
    assert told == {
        "id": order, "kind": "period", "state": "open", "method": "card", "driverLimit": 15,
        "net": 249_00, "vat": 57_27, "gross": 306_27, "createdAt": told["createdAt"],
        "url": f"https://pay.test/{key}", "transfer": None, "reason": None,
    }  # fmt: skip
    assert (await shown(anna))["openOrder"] == told
    assert (await celina.get(f"/api/orders/{order}")).status_code == 404
    assert (await shown(celina))["openOrder"] is None
    await till.pays(anna, order)
    paid = (await bartek.get(f"/api/orders/{order}")).json()
    assert paid == {**told, "state": "paid", "url": None}


async def test_nothing_is_active_before_the_provider_has_confirmed(anna, till, fake) -> None:
    """The success page shows, and activates nothing (reading R24)."""
    before = await shown(anna)
    order = await till.orders(anna, 15)
    callback = await fake.pay(await till.redirect(order))
    await anna.get(f"/api/orders/{order}")
    await till.calls(anna, callback)

    assert {**await shown(anna), "openOrder": None, "user": before["user"]} == before

    await till.works()

    assert (await shown(anna))["isTrial"] is False
    assert (await shown(anna))["openOrder"] is None


async def test_what_a_page_says_of_the_company_is_kept_and_need_not_be_said_again(
    anna, till
) -> None:
    await till.orders(anna, 5)
    assert (await shown(anna))["user"] == ACME
    assert (await anna.get("/api/user")).json()["companyName"] == ACME["companyName"]

    answer = await anna.post(CHECKOUT, {"driverLimit": 5, "city": "Łódź"})

    assert answer.status_code == 200
    assert (await till.order(answer.json()["orderId"]))["city"] == "Łódź"
    assert (await shown(anna))["user"] == {**ACME, "city": "Łódź"}


async def test_billing_details_are_filled_in_before_ordering(anna, fake) -> None:
    told = await refused(anna, {"driverLimit": 5}, 422, "billing_details_required")

    assert told == {
        "error": "billing_details_required",
        "message": "Uzupełnij dane rozliczeniowe, zanim zamówisz subskrypcję.",
    }
    given = {**ACME, "postalCode": "00950"}
    told = await refused(anna, {"driverLimit": 5, **given}, 422, "invalid_billing_details")
    assert told["fields"] == {"postalCode": "Nieprawidłowy format kodu pocztowego"}
    assert told["message"] == "Nieprawidłowy format kodu pocztowego"
    assert fake.orders == {}


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
    await subscribed(anna, worker, driver_limit=10)
    for n in range(6):
        await anna.adds(f"AA12345{n}")
    fake.broken = AssertionError("nobody was to be asked")
    before = await shown(anna)

    for limit, sentence in REFUSED.items():
        told = await refused(anna, {"driverLimit": limit, **ACME}, 422, "invalid_driver_limit")
        assert told["message"] == sentence
        assert told["fields"] == {"driverLimit": sentence}
        quote = await anna.get(f"/api/subscription/quote?driverLimit={limit}")
        change = await anna.post(CHANGE, {"driverLimit": limit, "method": "card"})
        assert [(answer.status_code, answer.json()) for answer in (quote, change)] == [
            (422, told)
        ] * 2
    for limit in NO_LIMITS:
        told = await refused(anna, {"driverLimit": limit, **ACME}, 422, "invalid_driver_limit")
        change = await anna.post(CHANGE, {"driverLimit": limit, "method": "card"})
        assert (change.status_code, change.json()) == (422, told)
    for body in ({}, ACME):
        await refused(anna, body, 422, "invalid_driver_limit")
    for limit in ("", "tekst", "5.5", "null", str(2**70)):
        quote = await anna.get(f"/api/subscription/quote?driverLimit={limit}")
        assert (quote.status_code, quote.json()["error"]) == (422, "invalid_driver_limit"), limit

    assert await look(logins, "SELECT * FROM subscription_order") == []
    assert await look(logins, "SELECT * FROM payment") == []
    assert fake.orders == {}
    assert await shown(anna) == before


async def test_a_refusal_names_the_field_that_is_malformed(anna, till) -> None:
    for field, key in (
        ("companyName", "invalid_billing_details"),
        ("taxId", "invalid_billing_details"),
        ("method", "invalid_payment_method"),
        ("blikCode", "invalid_payment_method"),
    ):
        await refused(anna, {"driverLimit": 5, **ACME, field: 5}, 422, key)
    await refused(anna, {"driverLimit": 5, **ACME, "coupon": "x"}, 400, "bad_request")


async def test_the_price_table_is_what_is_quoted_ordered_and_asked_for(
    newcomer, till, fake
) -> None:
    """The table that the landing page and the subscription page are held to as well."""
    rows = [row for row in json.loads(TABLE.read_text()) if row["driverLimit"] % 5 == 0]
    for row in rows:
        limit, price = row["driverLimit"], {name: row[name] for name in ("net", "vat", "gross")}
        quote = (await newcomer.get(f"/api/subscription/quote?driverLimit={limit}")).json()
        assert {name: quote[name] for name in price} == price
        order = await till.orders(newcomer, limit)
        told = (await newcomer.get(f"/api/orders/{order}")).json()
        assert {name: told[name] for name in price} == price
        kept = await till.order(order)
        assert (kept["net"], kept["vat"]) == (price["net"], price["vat"])
        asked = fake.orders[(await till.redirect(order)).ref.key]
        assert asked.money == Money(price["gross"])
    assert [row["driverLimit"] for row in rows] == [5, 10, 15, 50, 100, 500, 10_000]


async def test_the_english_sentence_of_the_least_limit_is_the_specs(anna) -> None:
    assert (await anna.put("/api/user/language", {"language": "en"})).status_code == 200

    told = await refused(anna, {"driverLimit": 4, **ACME}, 422, "invalid_driver_limit")

    assert told["message"] == "Minimum 5 drivers"


async def test_a_way_to_pay_that_is_not_offered_is_refused(anna, fake) -> None:
    for more, field in (
        ({"method": "cash"}, "method"),
        ({"method": "card", "blikCode": "123456"}, "blikCode"),
        ({"method": "blik", "blikCode": "12345"}, "blikCode"),
        ({"method": "blik", "blikCode": "12345x"}, "blikCode"),
        ({"method": "blik", "blikCode": "\uff11" * 6}, "blikCode"),
    ):
        body = {"driverLimit": 5, **ACME, **more}
        told = await refused(anna, body, 422, "invalid_payment_method")
        assert [*told["fields"]] == [field]
    assert fake.orders == {}


async def test_a_blik_code_needs_no_page_of_the_providers(anna, fake, monkeypatch) -> None:
    start = fake.start

    async def by_app(order) -> Redirect:
        return Redirect(ref=(await start(order)).ref, open_seconds=120)

    monkeypatch.setattr(fake, "start", by_app)
    answer = await anna.post(
        CHECKOUT, {"driverLimit": 5, **ACME, "method": "blik", "blikCode": "123456"}
    )

    [order] = fake.orders.values()
    assert (order.method, order.blik_code) == (Method.BLIK, "123456")
    page = f"/panel/subscription/success?order={answer.json()['orderId']}"
    assert answer.json()["url"] == page


async def test_a_transfer_is_told_on_our_page(anna, till, fake, monkeypatch) -> None:
    start = fake.start
    transfer = Transfer(title="PRAWKO 123", iban="PL00", owner="Prawko", address="Prosta 1")

    async def by_bank(order) -> Redirect:
        return Redirect(ref=(await start(order)).ref, transfer=transfer)

    monkeypatch.setattr(fake, "start", by_bank)
    answer = await anna.post(CHECKOUT, {"driverLimit": 5, **ACME, "method": "transfer"})

    order = answer.json()["orderId"]
    assert answer.json()["url"] == f"/panel/subscription?order={order}"
    told = (await anna.get(f"/api/orders/{order}")).json()
    assert told["transfer"] == {
        "title": "PRAWKO 123", "iban": "PL00", "owner": "Prawko", "address": "Prosta 1",
    }  # fmt: skip
    assert fake.orders[(await till.redirect(order)).ref.key].save is False  # nothing to charge


async def test_the_ways_to_pay_are_what_the_providers_can_do(anna) -> None:
    told = (await anna.get("/api/payment-methods")).json()

    assert told == [
        {"method": "card", "blikCode": False, "renews": True},
        {"method": "blik", "blikCode": True, "renews": False},
        {"method": "przelewy24", "blikCode": False, "renews": False},
        {"method": "transfer", "blikCode": False, "renews": False},
    ]


async def test_what_the_payer_is_refused_is_said_and_the_order_has_failed(
    anna, till, fake, logins
) -> None:
    fake.broken = PaymentError("the code was wrong", permanent=True)

    await refused(anna, {"driverLimit": 5, **ACME, "method": "blik"}, 422, "payment_refused")

    [order] = await look(logins, "SELECT * FROM subscription_order")
    assert order["state"] == "failed"
    told = (await anna.get(f"/api/orders/{order['id']}")).json()
    assert (told["state"], told["url"]) == ("failed", None)
    assert (await shown(anna))["openOrder"] is None


async def test_an_order_whose_provider_is_away_waits_and_a_new_one_takes_its_place(
    anna, till, fake, logins
) -> None:
    fake.broken = PaymentError("away")
    await refused(anna, {"driverLimit": 5, **ACME}, 503, "payment_unavailable")
    fake.broken = None

    second = await till.orders(anna, 10)

    first, other = await look(logins, "SELECT * FROM subscription_order ORDER BY id")
    assert str(other["id"]) == second
    assert (first["state"], str(first["superseded_by"])) == ("open", second)
    assert (await shown(anna))["openOrder"]["id"] == second


async def test_a_new_order_gives_the_older_one_up(anna, till, fake) -> None:
    first = await till.orders(anna, 5)
    second = await till.orders(anna, 10)

    assert (await till.order(first))["state"] == "failed"  # the provider has ended it
    assert (await till.order(second))["superseded_by"] is None
    await till.pays(anna, second)
    assert (await shown(anna))["driverLimit"] == 10


async def test_orders_at_once_leave_one_that_waits(newcomer, till, fake, monkeypatch) -> None:
    """The company is held from the reading to the end, also where its details stay the same."""
    await newcomer.put("/api/user/billing-details", ACME)
    together, available, add = asyncio.Barrier(4), fake.available, OrderRepository.add

    async def all_at_once(money):
        await together.wait()
        return await available(money)

    async def slowly(self, order):
        await add(self, order)
        await asyncio.sleep(0.05)  # whoever does not wait is here as well

    monkeypatch.setattr(fake, "available", all_at_once)
    monkeypatch.setattr(OrderRepository, "add", slowly)
    limits = (5, 10, 15, 20)  # what is asked for each sum is remembered
    await asyncio.wait_for(asyncio.gather(*(till.orders(newcomer, n) for n in limits)), 60)

    rows = await look(till.logins, "SELECT * FROM subscription_order WHERE superseded_by IS NULL")
    assert len(rows) == 1
    await till.pays(newcomer, str(rows[0]["id"]))
    assert (await shown(newcomer))["status"] == "active"


async def renewal_waits(person, till: Till) -> None:
    """What the timetable will write: an order whose charge waits for consent."""
    order = await till.orders(person, 15, method="blik", blikCode="123456")
    tenant_id = TenantId(await person.tenant_id(till.worker))
    async with till.worker.database.tenant(tenant_id) as session:
        row = await OrderRepository(session).get(UUID(order))
        assert row is not None
        row.kind = OrderKind.RENEWAL


async def test_no_transaction_is_open_while_a_provider_is_asked(
    anna, till, fake, open_transactions, monkeypatch
) -> None:
    """Checkout, BLIK by code, a higher limit by page and by saved card, and cancelling."""
    seen: list[tuple[str, int]] = []

    def watched(name):
        ask = getattr(fake, name)

        async def watch(*args, **kwargs):
            seen.append((name, await open_transactions()))
            return await ask(*args, **kwargs)

        monkeypatch.setattr(fake, name, watch)

    for name in ("available", "start", "charge", "cancel"):
        watched(name)
    await till.buys(anna, 5)
    blik = {"method": "blik", "blikCode": "123456"}
    for body in ({"driverLimit": 10, **blik}, {"driverLimit": 15}):
        answer = await anna.post(CHANGE, body)
        assert answer.status_code == 200, answer.text
    await renewal_waits(anna, till)
    seen_before = len(seen)
    assert (await anna.post("/api/subscription/cancel")).status_code == 200

    assert [name for name, _ in seen[seen_before:]] == ["cancel"]
    assert {name for name, _ in seen} == {"available", "start", "charge", "cancel"}
    assert {n for _, n in seen} == {0}


async def test_a_suspended_company_orders_nothing(anna, worker, fake) -> None:
    await subscribed(anna, worker, status="inactive")

    told = await refused(anna, {"driverLimit": 5, **ACME}, 409, "subscription_suspended")

    assert "operatora" in told["message"]
    assert fake.orders == {}


async def test_orders_are_counted_by_the_hour(anna, till, fake) -> None:
    for _ in range(20):
        await till.orders(anna, 5)

    answer = await anna.post(CHECKOUT, {"driverLimit": 5, **ACME})

    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert len(fake.orders) == 20


async def test_an_operator_in_somebodys_name_orders_and_decides_nothing(
    anna, worker, logins
) -> None:
    await subscribed(anna, worker)
    await write(logins, "UPDATE login_session SET impersonator_id = user_id")
    for verb, path, body in (
        ("POST", CHECKOUT, {"driverLimit": 5, **ACME}),
        ("POST", CHANGE, {"driverLimit": 10}),
        ("POST", "/api/subscription/cancel", None),
        ("POST", "/api/subscription/resume", None),
        ("PUT", "/api/user/billing-details", ACME),
    ):
        answer = await anna.browser.request(verb, path, json=body)
        assert (answer.status_code, answer.json()["error"]) == (403, "auth_forbidden")


async def test_the_quote_says_what_the_order_costs(anna, till, clock) -> None:
    trial_end = instant((await shown(anna))["endDate"])

    quote = (await anna.get("/api/subscription/quote?driverLimit=50")).json()

    line = {"kind": "period", "days": None, "net": 599_00, "vat": 137_77, "gross": 736_77}
    assert quote == {
        "driverLimit": 50, "lines": [line], "net": 599_00, "vat": 137_77, "gross": 736_77,
        "newEndDate": quote["newEndDate"], "limitFrom": None, "change": None,
    }  # fmt: skip
    assert instant(quote["newEndDate"]) - trial_end == timedelta(days=30)
    await till.buys(anna, 50)
    assert (await shown(anna))["endDate"] == quote["newEndDate"]


async def test_a_session_that_ends_while_a_provider_is_asked_orders_nothing(
    anna, fake, logins, monkeypatch
) -> None:
    available = fake.available

    async def sign_out(money):
        await write(logins, "UPDATE login_session SET revoked_at = now()")
        return await available(money)

    monkeypatch.setattr(fake, "available", sign_out)
    answer = await anna.post(CHECKOUT, {"driverLimit": 5, **ACME})

    assert (answer.status_code, answer.json()["error"]) == (401, "auth_required")
    assert fake.orders == {}
    assert await look(logins, "SELECT * FROM subscription_order") == []


async def test_what_was_read_is_read_again_where_it_is_written(
    anna, till, fake, monkeypatch
) -> None:
    """While the ways to pay are asked for, another order is paid: the price is another."""
    await till.buys(anna, 5)
    first = await till.orders(anna, 10)
    available = fake.available

    async def pay_meanwhile(money):
        monkeypatch.setattr(fake, "available", available)
        await till.pays(anna, first)
        return await available(money)

    monkeypatch.setattr(fake, "available", pay_meanwhile)
    order = await till.orders(anna, 15)

    # 67 days from 10 to 15 drivers, and no more the 37 from 5 to 15.
    assert (await till.order(order))["net"] == 111_67 + 249_00
