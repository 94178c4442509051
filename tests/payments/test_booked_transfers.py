"""Lines of a bank statement, booked in any order and repeatedly, end in one state."""

from itertools import permutations

import pytest

from payments_shop import SELLER, Shop
from prawko.hooks.payments import Method, Money, PaymentProvider
from prawko.payments.booking import Line, book
from stored import look

pytestmark = pytest.mark.anyio

NAME = "transfer"
LINES = (Money(10000), Money(18327), Money(18327), Money(18327, "EUR"))


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """The installed plugin is found as in production."""
    return []


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {
        **variables,
        **SELLER,
        "PAYMENT_PROVIDERS": NAME,
        "TRANSFER_IBAN": "PL61109010140000071219812874",
        "TRANSFER_OWNER": "Prawko Sp. z o.o.",
        "TRANSFER_ADDRESS": "Prosta 1, 00-950 Warszawa",
    }


async def booked(shop: Shop, title: str, money: Money, reference: str) -> None:
    line = Line(title=title, money=money, reference=reference)
    async with shop.tools.database.system() as session:
        await book(shop.tools, session, line)


async def test_whatever_the_order_of_four_lines_there_is_one_end(shop: Shop) -> None:
    ends = set()
    for number, order in enumerate(permutations(range(4))):
        payment_id, redirect = await shop.buys(Method.TRANSFER)
        assert redirect.transfer is not None
        for place in order:
            for _ in range(5):
                await booked(shop, redirect.transfer.title, LINES[place], f"{number}/{place}")
            await shop.works()
        key = (await shop.row(payment_id))["key"]
        found = await look(
            shop.logins, "SELECT kind FROM payment_finding WHERE key = $1 ORDER BY kind", key
        )
        told = tuple(await shop.told(payment_id))
        ends.add((await shop.state(payment_id), told, tuple(row["kind"] for row in found)))

    assert ends == {("paid", ("sold",), ("paid_twice", "wrong_amount", "wrong_currency"))}
    assert len(await shop.incidents()) == 3 * 24


async def test_a_transfer_waits_for_its_end_and_counts_after_it(shop: Shop) -> None:
    payment_id, redirect = await shop.buys(Method.TRANSFER)
    assert redirect.transfer is not None
    shop.worker.clock.forward(days=13)
    assert await shop.asks() == 0, "there is nobody to ask"
    shop.worker.clock.forward(days=1, minutes=1)
    await shop.asks()
    assert (await shop.state(payment_id), await shop.told(payment_id)) == ("expired", ["expired"])

    await booked(shop, redirect.transfer.title, LINES[1], "late")
    await shop.works()
    assert await shop.told(payment_id) == ["expired", "sold"]
