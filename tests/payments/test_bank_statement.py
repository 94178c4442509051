"""Lines of the bank statement have the same result in any order and repetition."""

import asyncio
from itertools import permutations

import pytest

from prawko.hooks.payments import Money, PaymentMethod, PaymentProvider
from prawko.payments.bank_statement import StatementLine, record_transfer
from support.payments import SELLER_VARIABLES, PaymentScenario, fetch_final_states

pytestmark = pytest.mark.anyio

NAME = "transfer"
AMOUNTS = (Money(10000), Money(18327), Money(18327), Money(18327, "EUR"))


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """The installed plugin is found as in production."""
    return []


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {
        **variables,
        **SELLER_VARIABLES,
        "PAYMENT_PROVIDERS": NAME,
        "TRANSFER_IBAN": "PL61109010140000071219812874",
        "TRANSFER_OWNER": "Prawko Sp. z o.o.",
        "TRANSFER_ADDRESS": "Prosta 1, 00-950 Warszawa",
    }


async def record_lines(scenario: PaymentScenario, *lines: tuple[str, Money, str]) -> None:
    async with scenario.context.database.system() as session:
        for title, money, reference in lines:
            statement_line = StatementLine(title=title, money=money, reference=reference)
            await record_transfer(scenario.context, session, statement_line)


async def test_any_order_of_four_lines_has_the_same_result(scenario: PaymentScenario) -> None:
    orders = list(permutations(range(4)))
    payments = await asyncio.gather(
        *(scenario.start_payment(PaymentMethod.TRANSFER) for _ in orders)
    )
    titles = [action.transfer.title for _, action in payments if action.transfer]
    for index in range(4):
        lines = [
            (title, AMOUNTS[order[index]], f"{number}/{order[index]}")
            for number, (title, order) in enumerate(zip(titles, orders, strict=True))
        ]
        await asyncio.gather(*(record_lines(scenario, *lines) for _ in range(3)))
        await asyncio.gather(scenario.process_webhooks(), scenario.process_webhooks())
        await record_lines(scenario, *lines, *lines)
    assert await scenario.process_webhooks() == 0, "a line that is booked again is no other line"

    assert await fetch_final_states(scenario, [payment_id for payment_id, _ in payments]) == {
        ("paid", ("sold",), ("paid_twice", "wrong_amount", "wrong_currency"))
    }
    assert len(await scenario.open_incidents()) == 3 * 24


async def test_a_transfer_expires_and_counts_even_afterwards(scenario: PaymentScenario) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.TRANSFER)
    assert action.transfer is not None
    scenario.worker.clock.forward(days=13)
    assert await scenario.poll_open() == 0, "there is nobody to ask"
    scenario.worker.clock.forward(days=1, minutes=1)
    await scenario.poll_open()
    assert (
        await scenario.payment_state(payment_id),
        await scenario.handler_events(payment_id),
    ) == ("expired", ["expired"])

    await record_lines(scenario, (action.transfer.title, AMOUNTS[1], "late"))
    await scenario.process_webhooks()
    assert await scenario.handler_events(payment_id) == ["expired", "sold"]
