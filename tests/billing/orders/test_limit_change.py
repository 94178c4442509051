"""Limit changes within a paid period: a higher limit is paid for, a lower one scheduled."""

import asyncio
from datetime import timedelta

import pytest

from prawko.hooks.payments import PaymentError
from support.database import fetch_rows, insert_subscription
from support.orders import ACME_DETAILS, OrderScenario, fetch_subscription, parse_instant

pytestmark = pytest.mark.anyio

CHANGE = "/api/subscription/change-limit"
QUOTE = "/api/subscription/quote"
BY_PAGE = {"method": "przelewy24"}


async def order_higher_limit(scenario: OrderScenario, person, limit: int) -> str:
    """Order a higher limit by hosted page; the order's id."""
    answer = await person.post(CHANGE, {"driverLimit": limit, **BY_PAGE})
    assert answer.status_code == 200, answer.text
    return answer.json()["orderId"]


async def assert_refused(person, body, status, key) -> dict:
    answer = await person.post(CHANGE, body)
    assert (answer.status_code, answer.json()["error"]) == (status, key), answer.text
    return answer.json()


@pytest.fixture
async def subscriber(newcomer, scenario):
    """A person whose company has paid for 10 drivers by transfer, so without a mandate."""
    await scenario.buy(newcomer, 10, method="transfer")
    return newcomer


@pytest.mark.parametrize(
    ("days", "limit", "net", "vat"),
    [
        (0, 15, 50_00, 11_50),
        (15, 15, 25_00, 5_75),
        (29, 15, 1_67, 38),  # 166.67
        (28, 15, 3_33, 77),  # 333.33; 76.59
        (23, 50, 93_33, 21_47),  # 9333.33; 2146.59
    ],
)
async def test_a_higher_limit_costs_the_days_that_are_left(
    subscriber, scenario, clock, days, limit, net, vat
) -> None:
    clock.forward(days=days)
    end_date = (await fetch_subscription(subscriber))["endDate"]

    quote = (await subscriber.get(f"{QUOTE}?driverLimit={limit}")).json()["change"]
    order = await order_higher_limit(scenario, subscriber, limit)

    payload = (await subscriber.get(f"/api/orders/{order}")).json()
    assert (payload["kind"], payload["net"], payload["vat"], payload["gross"]) == (
        "upgrade", net, vat, net + vat,
    )  # fmt: skip
    assert {**quote, "from": None} == {
        "kind": "upgrade", "net": net, "vat": vat, "gross": net + vat, "from": None,
    }  # fmt: skip
    assert (await fetch_subscription(subscriber))["driverLimit"] == 10  # until it is paid

    await scenario.pay(subscriber, order)

    after = await fetch_subscription(subscriber)
    assert (after["driverLimit"], after["endDate"]) == (limit, end_date)
    note = f"Dopłacono do końca okresu; limit kierowców: {limit}"
    assert (await scenario.history_rows())[-1] == ("active", "active", note)
    [_, invoice_line] = await fetch_rows(scenario.logins, "SELECT * FROM invoice_line ORDER BY id")
    assert (invoice_line["kind"], invoice_line["days"], invoice_line["net"]) == (
        "upgrade",
        30 - days,
        net,
    )


async def test_a_mandate_pays_for_a_higher_limit_at_once(newcomer, scenario, fake) -> None:
    await scenario.buy(newcomer, 5)

    answer = await newcomer.post(CHANGE, {"driverLimit": 15})

    assert (answer.status_code, answer.json()["url"]) == (200, None)
    assert answer.json()["subscription"]["driverLimit"] == 15
    order = answer.json()["orderId"]
    assert (await newcomer.get(f"/api/orders/{order}")).json()["state"] == "paid"
    assert len(fake.payments) == 2
    assert (await scenario.history_rows())[-1][2].startswith("Dopłacono")


async def test_concurrent_changes_of_the_limit_charge_once(newcomer, scenario, fake) -> None:
    await scenario.buy(newcomer, 5)
    barrier, charge = asyncio.Barrier(2), fake.charge

    async def charge_together(mandate, order):
        await barrier.wait()
        return await charge(mandate, order)

    fake.charge = charge_together
    answers = await asyncio.wait_for(
        asyncio.gather(*(newcomer.post(CHANGE, {"driverLimit": 15}) for _ in range(2))), 60
    )

    assert [answer.status_code for answer in answers] == [200, 200]
    assert len({answer.json()["orderId"] for answer in answers}) == 1
    assert len(fake.payments) == 2  # the period, and one upgrade
    assert await scenario.discrepancy_kinds() == []
    assert (await fetch_subscription(newcomer))["driverLimit"] == 15


async def test_repeating_a_change_after_a_time_out_charges_once(newcomer, scenario, fake) -> None:
    await scenario.buy(newcomer, 5)
    fake.failure = PaymentError("silence")
    await assert_refused(newcomer, {"driverLimit": 15}, 503, "payment_unavailable")
    await assert_refused(newcomer, {"driverLimit": 10}, 503, "payment_unavailable")
    await assert_refused(newcomer, {"driverLimit": 15, **BY_PAGE}, 503, "payment_unavailable")
    fake.failure = None

    answer = await newcomer.post(CHANGE, {"driverLimit": 15})

    assert answer.json()["subscription"]["driverLimit"] == 15
    assert len(fake.payments) == 2
    assert len(await fetch_rows(scenario.logins, "SELECT * FROM subscription_order")) == 2


async def test_a_declined_card_does_not_raise_the_limit(newcomer, scenario, fake) -> None:
    await scenario.buy(newcomer, 5)
    fake.declines_charges = True

    await assert_refused(newcomer, {"driverLimit": 15}, 422, "payment_refused")

    assert (await fetch_subscription(newcomer))["driverLimit"] == 5
    assert (await fetch_subscription(newcomer))["openOrder"] is None


async def test_without_a_mandate_a_higher_limit_is_paid_on_the_hosted_page(
    subscriber, scenario, fake
) -> None:
    answer = await subscriber.post(CHANGE, {"driverLimit": 15})

    [_, key] = fake.requests
    assert answer.json()["url"] == f"https://pay.test/{key}"
    assert answer.json()["subscription"]["openOrder"]["id"] == answer.json()["orderId"]


async def test_an_upgrade_that_is_paid_after_its_period_is_void(
    subscriber, scenario, clock
) -> None:
    order = await order_higher_limit(scenario, subscriber, 15)
    clock.forward(days=31)
    before = await fetch_subscription(subscriber)

    await scenario.pay(subscriber, order)

    assert {**await fetch_subscription(subscriber), "openOrder": before["openOrder"]} == before
    assert await scenario.discrepancy_kinds() == ["void_order"]
    assert (await subscriber.get(f"/api/orders/{order}")).json()["state"] == "void"
    assert len(await fetch_rows(scenario.logins, "SELECT * FROM invoice")) == 1


async def test_an_upgrade_is_void_once_another_period_was_paid(subscriber, scenario, fake) -> None:
    order = await order_higher_limit(scenario, subscriber, 15)
    await scenario.buy(subscriber, 10)

    await scenario.pay(subscriber, order)

    assert (await fetch_subscription(subscriber))["driverLimit"] == 10
    assert await scenario.discrepancy_kinds() == ["void_order"]


async def test_an_upgrade_paid_twice_counts_once(subscriber, scenario) -> None:
    first, second = (
        await order_higher_limit(scenario, subscriber, 15),
        await order_higher_limit(scenario, subscriber, 15),
    )
    await scenario.pay(subscriber, first)
    await scenario.pay(subscriber, second)

    assert (await fetch_subscription(subscriber))["driverLimit"] == 15
    assert await scenario.discrepancy_kinds() == ["void_order"]


async def test_a_lower_limit_is_scheduled_for_the_next_period(subscriber, scenario, clock) -> None:
    end_date = (await fetch_subscription(subscriber))["endDate"]
    quote = (await subscriber.get(f"{QUOTE}?driverLimit=5")).json()["change"]

    answer = await subscriber.post(CHANGE, {"driverLimit": 5})

    payload = answer.json()
    assert (payload["url"], payload["orderId"]) == (None, None)
    assert quote == {"kind": "downgrade", "net": 0, "vat": 0, "gross": 0, "from": end_date}
    after = payload["subscription"]
    assert (after["driverLimit"], after["nextLimit"], after["nextLimitAt"]) == (10, 5, end_date)
    assert (after["priceNet"], after["nextPriceNet"]) == (199_00, 149_00)
    assert (await scenario.history_rows())[-1][2] == "Limit kierowców od następnego okresu: 5"
    await scenario.buy(subscriber, 5)
    clock.forward(days=31)
    after = await fetch_subscription(subscriber)
    assert (after["driverLimit"], after["nextLimit"]) == (5, None)
    for number in range(5):  # effective before the job has applied it
        await subscriber.add_driver(f"AA12345{number}")
    jan = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123455"}
    refused = await subscriber.post("/api/drivers", jan)
    assert (refused.status_code, refused.json()["error"]) == (403, "driver_limit_exceeded")


async def test_ordering_the_present_limit_clears_a_scheduled_one(subscriber, scenario) -> None:
    await subscriber.post(CHANGE, {"driverLimit": 5})

    after = (await subscriber.post(CHANGE, {"driverLimit": 10})).json()["subscription"]

    assert (after["nextLimit"], after["nextLimitAt"], after["nextPriceNet"]) == (None, None, 199_00)


async def test_an_invalid_method_is_refused_even_if_the_change_is_free(subscriber) -> None:
    for choice, field in (({"method": "cash"}, "method"), ({"blikCode": "12"}, "blikCode")):
        payload = await assert_refused(
            subscriber, {"driverLimit": 5, **choice}, 422, "invalid_payment_method"
        )
        assert [*payload["fields"]] == [field]


async def test_changing_to_the_present_limit_changes_nothing(subscriber, scenario) -> None:
    before = await scenario.history_rows()

    assert (await subscriber.post(CHANGE, {"driverLimit": 10})).status_code == 200

    assert await scenario.history_rows() == before


async def test_a_limit_below_the_drivers_is_refused_until_some_are_removed(subscriber) -> None:
    drivers = [await subscriber.add_driver(f"AA12345{n}") for n in range(6)]

    payload = await assert_refused(subscriber, {"driverLimit": 5}, 422, "invalid_driver_limit")

    sentence = "Masz 6 kierowców. Usuń część z nich albo wybierz wyższy limit"
    assert payload["fields"] == {"driverLimit": sentence}
    await subscriber.delete(f"/api/drivers/{drivers[0]}")
    assert (await subscriber.post(CHANGE, {"driverLimit": 5})).status_code == 200


async def test_the_limit_changes_only_within_a_paid_period(anna, newcomer, scenario, clock) -> None:
    for person in (anna, newcomer):  # a trial; no subscription
        await assert_refused(person, {"driverLimit": 10}, 409, "no_paid_period")
    await scenario.buy(newcomer, 5)
    clock.forward(days=31)
    await assert_refused(newcomer, {"driverLimit": 10}, 409, "no_paid_period")


async def test_a_suspended_company_changes_nothing(newcomer, worker) -> None:
    await insert_subscription(newcomer, worker, status="inactive")

    await assert_refused(newcomer, {"driverLimit": 10}, 409, "subscription_suspended")


async def test_an_upgrade_needs_billing_details(newcomer, worker) -> None:
    await insert_subscription(newcomer, worker)

    await assert_refused(newcomer, {"driverLimit": 10}, 422, "billing_details_required")


async def test_a_higher_limit_within_a_paid_block_costs_nothing(
    newcomer, scenario, worker, fake
) -> None:
    await insert_subscription(newcomer, worker, driver_limit=7)  # as an operator has set it

    after = (await newcomer.post(CHANGE, {"driverLimit": 10})).json()["subscription"]

    assert after["driverLimit"] == 10
    assert fake.requests == {}
    assert (await scenario.history_rows())[-1][2] == "Limit kierowców: 10; bez dopłaty"


async def test_a_period_for_more_drivers_includes_an_upgrade_of_the_days_left(
    subscriber, scenario, clock
) -> None:
    clock.forward(days=15)
    end_date = parse_instant((await fetch_subscription(subscriber))["endDate"])
    quote = (await subscriber.get(f"{QUOTE}?driverLimit=20")).json()

    order = await scenario.buy(subscriber, 20)

    lines = [(line["kind"], line["days"], line["net"]) for line in quote["lines"]]
    assert lines == [("upgrade", 15, 50_00), ("period", None, 299_00)]
    assert (quote["net"], quote["vat"]) == (349_00, 11_50 + 68_77)
    assert quote["limitFrom"] is None
    after = await fetch_subscription(subscriber)
    assert after["driverLimit"] == 20
    assert (
        parse_instant(after["endDate"])
        == parse_instant(quote["newEndDate"])
        == end_date + timedelta(days=30)
    )
    [*_, raise_note, period_note] = [row[2] for row in await scenario.history_rows()]
    assert raise_note.startswith("Dopłacono")
    assert period_note == "Opłacono kolejny okres"
    [row] = await fetch_rows(scenario.logins, "SELECT * FROM invoice WHERE order_id = $1", order)
    assert row["gross"] == quote["gross"]


async def test_a_period_for_fewer_drivers_lowers_the_limit_when_it_starts(
    subscriber, scenario, clock
) -> None:
    end_date = (await fetch_subscription(subscriber))["endDate"]
    quote = (await subscriber.get(f"{QUOTE}?driverLimit=5")).json()

    await scenario.buy(subscriber, 5)

    assert (quote["net"], quote["limitFrom"]) == (149_00, end_date)
    after = await fetch_subscription(subscriber)
    assert (after["driverLimit"], after["nextLimit"], after["nextLimitAt"]) == (10, 5, end_date)


async def test_raising_a_prepaid_lower_limit_is_charged(subscriber, scenario) -> None:
    """A period for 5 is prepaid; ordering 10 pays the difference for it as well."""
    await scenario.buy(subscriber, 5)

    quote = (await subscriber.get(f"{QUOTE}?driverLimit=10")).json()
    order = await scenario.place_order(subscriber, 10)
    await scenario.pay(subscriber, order)

    lines = [(line["kind"], line["days"], line["net"]) for line in quote["lines"]]
    assert lines == [("upgrade", 30, 50_00), ("period", None, 199_00)]
    after = await fetch_subscription(subscriber)
    assert (after["driverLimit"], after["nextLimit"]) == (10, None)


async def test_a_second_scheduled_change_of_the_limit_is_refused(newcomer, scenario) -> None:
    await scenario.buy(newcomer, 15)
    await scenario.buy(newcomer, 10)

    for answer in (
        await newcomer.get(f"{QUOTE}?driverLimit=5"),
        await newcomer.post(CHANGE, {"driverLimit": 5}),
        await newcomer.post(
            "/api/subscription/create-checkout-session", {"driverLimit": 5, **ACME_DETAILS}
        ),
    ):
        assert (answer.status_code, answer.json()["error"]) == (422, "invalid_driver_limit")
        sentence = "Od 21.12.2026 masz opłacony limit 10 kierowców. Niższy zamówisz po tym dniu"
        assert answer.json()["message"] == sentence


async def test_a_period_whose_upgrade_is_void_is_applied_and_the_rest_is_a_discrepancy(
    subscriber, scenario, clock
) -> None:
    order = await scenario.place_order(subscriber, 20)
    clock.forward(days=31)

    await scenario.pay(subscriber, order)

    after = await fetch_subscription(subscriber)
    assert (after["status"], after["driverLimit"]) == ("active", 20)
    [void] = await fetch_rows(scenario.logins, "SELECT * FROM payment_discrepancy")
    [row] = await fetch_rows(scenario.logins, "SELECT * FROM invoice WHERE order_id = $1", order)
    paid = await scenario.order_row(order)
    assert row["net"] == 299_00
    # No more can be refunded than was not delivered.
    assert (void["kind"], void["grosze"]) == (
        "void_order", paid["net"] + paid["vat"] - row["gross"],
    )  # fmt: skip
    assert void["grosze"] == 123_00


class TestLowRateLimit:
    """With a low rate limit of orders."""

    @pytest.fixture(autouse=True)
    def _few_orders(self, context) -> None:
        context.max_tries["order"] = 3

    async def test_mandate_charges_count_towards_the_rate_limit(
        self, newcomer, scenario, fake
    ) -> None:
        await scenario.buy(newcomer, 5)
        fake.declines_charges = True
        for _ in range(2):
            await assert_refused(newcomer, {"driverLimit": 15}, 422, "payment_refused")
        fake.declines_charges = False

        answer = await newcomer.post(CHANGE, {"driverLimit": 15})

        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert (await fetch_subscription(newcomer))["driverLimit"] == 5
