"""400 days of a fleet on every method, with failures and sudden deaths: it adds up to the grosz.

What is expected is reckoned here anew, from the bank's own book and the prices of the spec.
"""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import msgspec
import pytest

from fleet import overseen
from money_fleet import Chance, ChancyBank, StillClock, World, arrange
from prawko.hooks.payments import Method
from stored import look

pytestmark = pytest.mark.anyio

WARSAW = ZoneInfo("Europe/Warsaw")
BEGIN = datetime(2026, 2, 3, 9, 30, tzinfo=UTC)
PERIODS = (
    "Opłacono pierwszy okres",
    "Opłacono kolejny okres",
    "Opłacono po końcu okresu; nowy okres liczy się od płatności",
)


@pytest.fixture
def chance() -> Chance:
    return Chance("four hundred days")


@pytest.fixture
def bank(chance) -> ChancyBank:
    return ChancyBank(chance)


@pytest.fixture
def variables(variables) -> dict[str, str]:
    """By the machine's clock, the story takes a minute."""
    return {**variables, "ORDERS_PER_COMPANY": "100000"}


@pytest.fixture
def clock() -> StillClock:
    return StillClock(BEGIN)


@pytest.fixture
async def world(tools, worker, bank, clock, chance, servers, logins, wired, monkeypatch):
    arrange(monkeypatch, chance)
    async with overseen(servers, logins) as fleet:
        world = World(tools, worker, bank, clock, fleet.admin)
        await world.opens(companies=2)
        yield world


def period_net(limit: int) -> int:
    return 14_900 + 5_000 * ((max(limit, 5) + 4) // 5 - 1)


def vat(net: int) -> int:
    return (net * 23 + 50) // 100


def thirty_days_later(start: datetime) -> datetime:
    wall = start.astimezone(WARSAW).replace(tzinfo=None) + timedelta(days=30)
    return wall.replace(tzinfo=WARSAW).astimezone(UTC)


async def test_charges_periods_history_and_invoices_add_up_to_the_grosz(
    world, bank, chance, logins, caplog
) -> None:
    await world.runs(days=400)
    await world.settles()

    assert [one.msg for one in caplog.records if one.exc_info] == [], "no job stumbled on the way"
    book = await Book.of(logins)
    every_grosz_is_invoiced_or_flagged(book, bank)
    nobody_is_charged_twice(book, bank)
    every_price_is_the_specs(book)
    no_period_is_lost(book)
    invoices_are_numbered_without_a_gap(book)
    the_history_hangs_together(book)
    enough_has_happened(book, chance)


class Book(msgspec.Struct, kw_only=True):
    """What the product has written, table by table."""

    payments: list[dict]
    orders: list[dict]
    invoices: list[dict]
    lines: list[dict]
    findings: list[dict]
    subscriptions: list[dict]
    history: list[dict]
    steps: list[dict]

    @classmethod
    async def of(cls, logins) -> "Book":
        tables = {
            "payments": "payment", "orders": "subscription_order", "invoices": "invoice",
            "lines": "invoice_line", "findings": "payment_finding",
            "subscriptions": "subscription", "history": "subscription_history",
            "steps": "renewal_step",
        }  # fmt: skip
        rows = {
            name: await look(logins, f"SELECT * FROM {table} ORDER BY id")
            for name, table in tables.items()
        }
        return cls(**rows)


def every_grosz_is_invoiced_or_flagged(book: Book, bank: ChancyBank) -> None:
    paid = {row["key"]: row for row in book.payments if row["state"] == "paid"}
    assert {key: row["grosze"] for key, row in paid.items()} == bank.taken, "money is never lost"
    assert not [row for row in book.payments if row["state"] in {"starting", "open"}]

    orders = {row["id"]: row for row in book.orders}
    invoices = {row["order_id"]: row for row in book.invoices}
    assert len(invoices) == len(book.invoices), "an order has one invoice"
    flagged = {
        row["key"] for row in book.findings if row["kind"] not in {"wrong_amount", "wrong_currency"}
    }
    invoiced = 0
    for key, row in paid.items():
        order = orders[row["order_id"]]
        assert row["grosze"] == order["net"] + order["vat"]
        bought = order["state"] == "paid" and order["payment_id"] == row["id"]
        gross = invoices[order["id"]]["gross"] if bought else 0
        assert gross <= row["grosze"]
        assert (gross < row["grosze"]) is (key in flagged), "what buys nothing is flagged"
        invoiced += gross
    assert invoiced == sum(row["gross"] for row in book.invoices)
    assert flagged <= set(paid)
    for row in book.findings:
        if row["kind"] == "wrong_amount":
            assert row["key"] not in bank.taken, "another sum is not taken"


def nobody_is_charged_twice(book: Book, bank: ChancyBank) -> None:
    assert set(bank.charged) == {1}
    orders = {row["id"]: row for row in book.orders}
    renewed = defaultdict(list)
    for row in book.payments:
        order = orders[row["order_id"]]
        if row["state"] == "paid" and order["kind"] == "renewal":
            renewed[row["tenant_id"], order["end_date"]].append(row["key"])
    assert all(len(keys) == 1 for keys in renewed.values()), "one charge for one end"
    taken = [(row["subscription_id"], row["end_date"], row["step"]) for row in book.steps]
    assert len(set(taken)) == len(taken)


def every_price_is_the_specs(book: Book) -> None:
    for order in book.orders:
        for line in (
            order["lines"]
            if isinstance(order["lines"], list)
            else msgspec.json.decode(order["lines"])
        ):
            assert line["vat"] == vat(line["net"])
            if line["kind"] == "period":
                assert line["net"] == period_net(order["driver_limit"])
                continue
            more = [
                period_net(order["driver_limit"]) - period_net(lower)
                for lower in (5, 10, 15)
                if lower < order["driver_limit"]
            ]
            assert line["net"] in {(2 * net * line["days"] + 30) // 60 for net in more}
    for invoice in book.invoices:
        lines = [line for line in book.lines if line["invoice_id"] == invoice["id"]]
        assert lines
        assert invoice["net"] == sum(line["net"] for line in lines)
        assert invoice["vat"] == sum(vat(line["net"]) for line in lines)
        assert invoice["gross"] == invoice["net"] + invoice["vat"]


def no_period_is_lost(book: Book) -> None:
    """Thirty Warsaw days from the end, or from the payment where that is later, for each line."""
    with_period = {line["invoice_id"] for line in book.lines if line["kind"] == "period"}
    for tenant_id in {row["tenant_id"] for row in book.invoices}:
        end, ends = BEGIN, []
        for invoice in book.invoices:
            if invoice["tenant_id"] == tenant_id and invoice["id"] in with_period:
                end = thirty_days_later(max(end, invoice["paid_at"]))
                ends.append(end)
        written = [
            row["new_end_date"]
            for row in book.history
            if row["tenant_id"] == tenant_id and row["note"] in PERIODS
        ]
        assert written == ends
        last = [row for row in book.subscriptions if row["tenant_id"] == tenant_id][-1]
        assert last["end_date"] == end


def invoices_are_numbered_without_a_gap(book: Book) -> None:
    serials = defaultdict(list)
    for row in book.invoices:
        serials[row["year"]].append(row["serial"])
    for numbers in serials.values():
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert len(serials) == 2, "a year has ended meanwhile"


def the_history_hangs_together(book: Book) -> None:
    for subscription in book.subscriptions:
        rows = [row for row in book.history if row["subscription_id"] == subscription["id"]]
        assert (rows[0]["old_status"], rows[0]["new_status"]) == (None, "active")
        for before, after in pairwise(rows):
            assert after["old_status"] == before["new_status"]
            assert after["old_end_date"] == before["new_end_date"]
            assert after["changed_at"] >= before["changed_at"]
        assert rows[-1]["new_status"] == subscription["status"]
        assert rows[-1]["new_end_date"] == subscription["end_date"]
        renews = subscription["mandate_id"] is not None and subscription["cancelled_at"] is None
        grace = subscription["checked_until"] - subscription["end_date"]
        assert (grace > timedelta(days=2)) is renews


def enough_has_happened(book: Book, chance: Chance) -> None:
    """A story in which nothing goes wrong proves nothing."""
    happened = chance.happened
    assert happened["killed"] > 60
    for what in (
        "refused a charge", "asked for consent", "consented", "the bank was away", "lost a call",
        "called three times", "paid another sum", "paid never", "ordered twice", "cancelled",
        "changed the limit", "the worker was down for days", "killed after the bank charged",
        "killed after the bank confirmed", "killed after the bank knew the order",
        "killed after record", "killed after issue_invoice",
    ):  # fmt: skip
        assert happened[what], what
    for method in Method:
        paid = [row for row in book.payments if row["method"] == method and row["state"] == "paid"]
        assert len(paid) > 10, method
    assert {row["step"] for row in book.steps} == {
        "first_charge", "second_charge", "third_charge", "closing", "grace_end",
    }  # fmt: skip
    assert {"paid_twice", "wrong_amount"} <= {row["kind"] for row in book.findings}
    assert len(book.invoices) > 100
