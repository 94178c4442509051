"""Another limit within the paid period: a higher one is paid for, a lower one waits."""

import asyncio
from datetime import timedelta

import pytest

from buying import ACME, Till, instant, shown
from prawko.hooks.payments import PaymentError
from stored import look, subscribed

pytestmark = pytest.mark.anyio

CHANGE = "/api/subscription/change-limit"
QUOTE = "/api/subscription/quote"
BY_PAGE = {"method": "przelewy24"}


async def raises(till: Till, person, limit: int) -> str:
    """Order a higher limit, to be paid on a page; the order's id."""
    answer = await person.post(CHANGE, {"driverLimit": limit, **BY_PAGE})
    assert answer.status_code == 200, answer.text
    return answer.json()["orderId"]


async def refused(person, body, status, key) -> dict:
    answer = await person.post(CHANGE, body)
    assert (answer.status_code, answer.json()["error"]) == (status, key), answer.text
    return answer.json()


@pytest.fixture
async def paid(newcomer, till):
    """Somebody whose company has paid for 10 drivers, by transfer: nothing can be charged."""
    await till.buys(newcomer, 10, method="transfer")
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
    paid, till, clock, days, limit, net, vat
) -> None:
    clock.forward(days=days)
    until = (await shown(paid))["endDate"]

    quote = (await paid.get(f"{QUOTE}?driverLimit={limit}")).json()["change"]
    order = await raises(till, paid, limit)

    told = (await paid.get(f"/api/orders/{order}")).json()
    assert (told["kind"], told["net"], told["vat"], told["gross"]) == (
        "upgrade", net, vat, net + vat,
    )  # fmt: skip
    assert {**quote, "from": None} == {
        "kind": "upgrade", "net": net, "vat": vat, "gross": net + vat, "from": None,
    }  # fmt: skip
    assert (await shown(paid))["driverLimit"] == 10  # until it is paid

    await till.pays(paid, order)

    after = await shown(paid)
    assert (after["driverLimit"], after["endDate"]) == (limit, until)
    note = f"Dopłacono do końca okresu; limit kierowców: {limit}"
    assert (await till.history())[-1] == ("active", "active", note)
    [_, line] = await look(till.logins, "SELECT * FROM invoice_line ORDER BY id")
    assert (line["kind"], line["days"], line["net"]) == ("upgrade", 30 - days, net)


async def test_a_saved_card_pays_for_a_higher_limit_at_once(newcomer, till, fake) -> None:
    await till.buys(newcomer, 5)

    answer = await newcomer.post(CHANGE, {"driverLimit": 15})

    assert (answer.status_code, answer.json()["url"]) == (200, None)
    assert answer.json()["subscription"]["driverLimit"] == 15
    order = answer.json()["orderId"]
    assert (await newcomer.get(f"/api/orders/{order}")).json()["state"] == "paid"
    assert len(fake.payments) == 2
    assert (await till.history())[-1][2].startswith("Dopłacono")


async def test_who_asks_twice_at_once_is_charged_once(newcomer, till, fake, monkeypatch) -> None:
    await till.buys(newcomer, 5)
    together, charge = asyncio.Barrier(2), fake.charge

    async def at_once(mandate, order):
        await together.wait()
        return await charge(mandate, order)

    monkeypatch.setattr(fake, "charge", at_once)
    answers = await asyncio.wait_for(
        asyncio.gather(*(newcomer.post(CHANGE, {"driverLimit": 15}) for _ in range(2))), 60
    )

    assert [answer.status_code for answer in answers] == [200, 200]
    assert len({answer.json()["orderId"] for answer in answers}) == 1
    assert len(fake.payments) == 2  # the period, and one upgrade
    assert await till.findings() == []
    assert (await shown(newcomer))["driverLimit"] == 15


async def test_who_asks_again_after_a_time_out_is_charged_once(newcomer, till, fake) -> None:
    await till.buys(newcomer, 5)
    fake.broken = PaymentError("silence")
    await refused(newcomer, {"driverLimit": 15}, 503, "payment_unavailable")
    await refused(newcomer, {"driverLimit": 10}, 503, "payment_unavailable")
    await refused(newcomer, {"driverLimit": 15, **BY_PAGE}, 503, "payment_unavailable")
    fake.broken = None

    answer = await newcomer.post(CHANGE, {"driverLimit": 15})

    assert answer.json()["subscription"]["driverLimit"] == 15
    assert len(fake.payments) == 2
    assert len(await look(till.logins, "SELECT * FROM subscription_order")) == 2


async def test_a_card_that_is_refused_raises_nothing(newcomer, till, fake) -> None:
    await till.buys(newcomer, 5)
    fake.refuses = True

    await refused(newcomer, {"driverLimit": 15}, 422, "payment_refused")

    assert (await shown(newcomer))["driverLimit"] == 5
    assert (await shown(newcomer))["openOrder"] is None


async def test_without_a_saved_card_a_higher_limit_is_paid_on_a_page(paid, till, fake) -> None:
    answer = await paid.post(CHANGE, {"driverLimit": 15})

    [_, key] = fake.orders
    assert answer.json()["url"] == f"https://pay.test/{key}"
    assert answer.json()["subscription"]["openOrder"]["id"] == answer.json()["orderId"]


async def test_an_upgrade_that_is_paid_after_its_period_is_void(paid, till, clock) -> None:
    order = await raises(till, paid, 15)
    clock.forward(days=31)
    before = await shown(paid)

    await till.pays(paid, order)

    assert {**await shown(paid), "openOrder": before["openOrder"]} == before
    assert await till.findings() == ["void_order"]
    assert (await paid.get(f"/api/orders/{order}")).json()["state"] == "void"
    assert len(await look(till.logins, "SELECT * FROM invoice")) == 1


async def test_an_upgrade_is_void_once_another_period_was_paid(paid, till, fake) -> None:
    order = await raises(till, paid, 15)
    await till.buys(paid, 10)

    await till.pays(paid, order)

    assert (await shown(paid))["driverLimit"] == 10
    assert await till.findings() == ["void_order"]


async def test_the_same_upgrade_that_is_paid_twice_counts_once(paid, till) -> None:
    first, second = await raises(till, paid, 15), await raises(till, paid, 15)
    await till.pays(paid, first)
    await till.pays(paid, second)

    assert (await shown(paid))["driverLimit"] == 15
    assert await till.findings() == ["void_order"]


async def test_a_lower_limit_waits_for_the_next_period(paid, till, clock) -> None:
    until = (await shown(paid))["endDate"]
    quote = (await paid.get(f"{QUOTE}?driverLimit=5")).json()["change"]

    answer = await paid.post(CHANGE, {"driverLimit": 5})

    told = answer.json()
    assert (told["url"], told["orderId"]) == (None, None)
    assert quote == {"kind": "downgrade", "net": 0, "vat": 0, "gross": 0, "from": until}
    after = told["subscription"]
    assert (after["driverLimit"], after["nextLimit"], after["nextLimitAt"]) == (10, 5, until)
    assert after["priceNet"] == 149_00
    assert (await till.history())[-1][2] == "Limit kierowców od następnego okresu: 5"
    await till.buys(paid, 5)
    clock.forward(days=31)
    after = await shown(paid)
    assert (after["driverLimit"], after["nextLimit"]) == (5, None)
    for n in range(5):  # it holds before any job has written it
        await paid.adds(f"AA12345{n}")
    jan = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123455"}
    full = await paid.post("/api/drivers", jan)
    assert (full.status_code, full.json()["error"]) == (403, "driver_limit_exceeded")


async def test_a_lower_limit_is_taken_back_by_the_present_one(paid, till) -> None:
    await paid.post(CHANGE, {"driverLimit": 5})

    after = (await paid.post(CHANGE, {"driverLimit": 10})).json()["subscription"]

    assert (after["nextLimit"], after["nextLimitAt"], after["priceNet"]) == (None, None, 199_00)


async def test_what_is_no_way_to_pay_is_refused_where_nothing_is_paid_too(paid) -> None:
    for by, field in (({"method": "cash"}, "method"), ({"blikCode": "12"}, "blikCode")):
        told = await refused(paid, {"driverLimit": 5, **by}, 422, "invalid_payment_method")
        assert [*told["fields"]] == [field]


async def test_the_present_limit_changes_nothing_and_tells_nobody(paid, till) -> None:
    before = await till.history()

    assert (await paid.post(CHANGE, {"driverLimit": 10})).status_code == 200

    assert await till.history() == before


async def test_a_limit_below_the_drivers_is_refused_until_some_are_removed(paid) -> None:
    drivers = [await paid.adds(f"AA12345{n}") for n in range(6)]

    told = await refused(paid, {"driverLimit": 5}, 422, "invalid_driver_limit")

    sentence = "Masz 6 kierowców. Usuń część z nich albo wybierz wyższy limit"
    assert told["fields"] == {"driverLimit": sentence}
    await paid.delete(f"/api/drivers/{drivers[0]}")
    assert (await paid.post(CHANGE, {"driverLimit": 5})).status_code == 200


async def test_the_limit_changes_within_a_paid_period_alone(anna, newcomer, till, clock) -> None:
    for person in (anna, newcomer):  # a trial; nothing
        await refused(person, {"driverLimit": 10}, 409, "no_paid_period")
    await till.buys(newcomer, 5)
    clock.forward(days=31)
    await refused(newcomer, {"driverLimit": 10}, 409, "no_paid_period")


async def test_a_suspended_company_changes_nothing(newcomer, worker) -> None:
    await subscribed(newcomer, worker, status="inactive")

    await refused(newcomer, {"driverLimit": 10}, 409, "subscription_suspended")


async def test_an_upgrade_too_is_invoiced_to_somebody(newcomer, worker) -> None:
    await subscribed(newcomer, worker)

    await refused(newcomer, {"driverLimit": 10}, 422, "billing_details_required")


async def test_a_limit_inside_a_block_that_is_paid_costs_nothing(
    newcomer, till, worker, fake
) -> None:
    await subscribed(newcomer, worker, driver_limit=7)  # as an operator has set it

    after = (await newcomer.post(CHANGE, {"driverLimit": 10})).json()["subscription"]

    assert after["driverLimit"] == 10
    assert fake.orders == {}
    assert (await till.history())[-1][2] == "Limit kierowców: 10; bez dopłaty"


async def test_a_period_for_more_drivers_pays_for_the_days_left_as_well(paid, till, clock) -> None:
    clock.forward(days=15)
    until = instant((await shown(paid))["endDate"])
    quote = (await paid.get(f"{QUOTE}?driverLimit=20")).json()

    order = await till.buys(paid, 20)

    lines = [(line["kind"], line["days"], line["net"]) for line in quote["lines"]]
    assert lines == [("upgrade", 15, 50_00), ("period", None, 299_00)]
    assert (quote["net"], quote["vat"]) == (349_00, 11_50 + 68_77)
    assert quote["limitFrom"] is None
    after = await shown(paid)
    assert after["driverLimit"] == 20
    assert instant(after["endDate"]) == instant(quote["newEndDate"]) == until + timedelta(days=30)
    [*_, raised, prolonged] = [row[2] for row in await till.history()]
    assert raised.startswith("Dopłacono")
    assert prolonged == "Opłacono kolejny okres"
    [row] = await look(till.logins, "SELECT * FROM invoice WHERE order_id = $1", order)
    assert row["gross"] == quote["gross"]


async def test_a_period_for_fewer_drivers_lowers_the_limit_at_its_beginning(
    paid, till, clock
) -> None:
    until = (await shown(paid))["endDate"]
    quote = (await paid.get(f"{QUOTE}?driverLimit=5")).json()

    await till.buys(paid, 5)

    assert (quote["net"], quote["limitFrom"]) == (149_00, until)
    after = await shown(paid)
    assert (after["driverLimit"], after["nextLimit"], after["nextLimitAt"]) == (10, 5, until)


async def test_a_lower_period_that_is_paid_is_not_raised_for_nothing(paid, till) -> None:
    """A period for 5 is paid ahead; who then wants 10 again pays the difference for it, too."""
    await till.buys(paid, 5)

    quote = (await paid.get(f"{QUOTE}?driverLimit=10")).json()
    order = await till.orders(paid, 10)
    await till.pays(paid, order)

    lines = [(line["kind"], line["days"], line["net"]) for line in quote["lines"]]
    assert lines == [("upgrade", 30, 50_00), ("period", None, 199_00)]
    after = await shown(paid)
    assert (after["driverLimit"], after["nextLimit"]) == (10, None)


async def test_one_change_ahead_is_all_that_can_be_kept(newcomer, till) -> None:
    await till.buys(newcomer, 15)
    await till.buys(newcomer, 10)

    for answer in (
        await newcomer.get(f"{QUOTE}?driverLimit=5"),
        await newcomer.post(CHANGE, {"driverLimit": 5}),
        await newcomer.post(
            "/api/subscription/create-checkout-session", {"driverLimit": 5, **ACME}
        ),
    ):
        assert (answer.status_code, answer.json()["error"]) == (422, "invalid_driver_limit")
        sentence = "Od 21.12.2026 masz opłacony limit 10 kierowców. Niższy zamówisz po tym dniu"
        assert answer.json()["message"] == sentence


async def test_a_period_whose_upgrade_came_too_late_is_given_and_the_rest_flagged(
    paid, till, clock
) -> None:
    order = await till.orders(paid, 20)
    clock.forward(days=31)

    await till.pays(paid, order)

    after = await shown(paid)
    assert (after["status"], after["driverLimit"]) == ("active", 20)
    assert await till.findings() == ["void_order"]
    [row] = await look(till.logins, "SELECT * FROM invoice WHERE order_id = $1", order)
    assert row["net"] == 299_00


class TestFew:
    """Where a company may order but little in an hour."""

    @pytest.fixture
    def variables(self, variables) -> dict[str, str]:
        return {**variables, "ORDERS_PER_COMPANY": "3"}

    async def test_charges_of_a_saved_card_are_counted_as_well(self, newcomer, till, fake) -> None:
        await till.buys(newcomer, 5)
        fake.refuses = True
        for _ in range(2):
            await refused(newcomer, {"driverLimit": 15}, 422, "payment_refused")
        fake.refuses = False

        answer = await newcomer.post(CHANGE, {"driverLimit": 15})

        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert (await shown(newcomer))["driverLimit"] == 5
