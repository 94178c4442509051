"""Lines of a bank statement, booked in any order and repeatedly, end in one state."""

import asyncio
from itertools import permutations

import pytest

from payments_shop import SELLER, Shop, reached
from prawko.hooks.payments import Method, Money, PaymentProvider
from prawko.payments.booking import Line, book

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


async def booked(shop: Shop, *lines: tuple[str, Money, str]) -> None:
    async with shop.tools.database.system() as session:
        for title, money, reference in lines:
            line = Line(title=title, money=money, reference=reference)
            await book(shop.tools, session, line)


async def test_whatever_the_order_of_four_lines_there_is_one_end(shop: Shop) -> None:
    orders = list(permutations(range(4)))
    bought = await asyncio.gather(*(shop.buys(Method.TRANSFER) for _ in orders))
    titles = [redirect.transfer.title for _, redirect in bought if redirect.transfer]
    for place in range(4):
        lines = [
            (title, LINES[order[place]], f"{number}/{order[place]}")
            for number, (title, order) in enumerate(zip(titles, orders, strict=True))
        ]
        await asyncio.gather(*(booked(shop, *lines) for _ in range(3)))
        await asyncio.gather(shop.works(), shop.works())
        await booked(shop, *lines, *lines)
    assert await shop.works() == 0, "a line that is booked again is no other line"

    assert await reached(shop, [payment_id for payment_id, _ in bought]) == {
        ("paid", ("sold",), ("paid_twice", "wrong_amount", "wrong_currency"))
    }
    assert len(await shop.incidents()) == 3 * 24


async def test_a_transfer_waits_for_its_end_and_counts_after_it(shop: Shop) -> None:
    payment_id, redirect = await shop.buys(Method.TRANSFER)
    assert redirect.transfer is not None
    shop.worker.clock.forward(days=13)
    assert await shop.asks() == 0, "there is nobody to ask"
    shop.worker.clock.forward(days=1, minutes=1)
    await shop.asks()
    assert (await shop.state(payment_id), await shop.told(payment_id)) == ("expired", ["expired"])

    await booked(shop, (redirect.transfer.title, LINES[1], "late"))
    await shop.works()
    assert await shop.told(payment_id) == ["expired", "sold"]
