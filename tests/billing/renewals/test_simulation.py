"""Simulates 400 days of companies on every method, with failures and crashes, and audits the rows.

Expected amounts and periods are computed independently, from the bank's payments and the rules
(docs/rules.md P31, T5).
"""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import msgspec
import pytest

from billing.renewals.simulation import Chance, ChaosBank, FrozenClock, Simulation, install_chaos
from prawko.hooks.payments import PaymentMethod
from support.database import fetch_rows
from support.fleet import open_fleet

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
def bank(chance) -> ChaosBank:
    return ChaosBank(chance)


@pytest.fixture(autouse=True)
def _many_orders(context) -> None:
    """Without the rate limit: 400 days take a minute of the system clock."""
    context.max_tries["order"] = 100_000


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(BEGIN)


@pytest.fixture
async def simulation(context, worker, bank, clock, chance, servers, logins, monkeypatch):
    install_chaos(monkeypatch, chance, clock)
    async with open_fleet(servers, logins) as fleet:
        simulated = Simulation(context, worker, bank, clock, fleet.admin)
        await simulated.create_companies(companies=3)
        yield simulated


def period_net(limit: int) -> int:
    return 14_900 + 5_000 * ((max(limit, 5) + 4) // 5 - 1)


def vat(net: int) -> int:
    return (net * 23 + 50) // 100


def thirty_days_later(start: datetime) -> datetime:
    wall = start.astimezone(WARSAW).replace(tzinfo=None) + timedelta(days=30)
    return wall.replace(tzinfo=WARSAW).astimezone(UTC)


async def test_charges_periods_history_and_invoices_add_up_to_the_grosz(
    simulation, bank, chance, logins, caplog
) -> None:
    await simulation.run_days(days=400)
    await simulation.run_calm_days()

    assert [record.msg for record in caplog.records if record.exc_info] == [], "no job has failed"
    records = await StoredRecords.load(logins)
    assert_all_money_accounted(records, bank)
    assert_no_double_charge(records, bank)
    assert_prices(records)
    assert_periods(records)
    assert_invoice_numbers(records)
    assert_history(records)
    assert_coverage(records, chance)


class StoredRecords(msgspec.Struct, kw_only=True):
    """The rows that the product has stored, by table."""

    payments: list[dict]
    orders: list[dict]
    invoices: list[dict]
    lines: list[dict]
    findings: list[dict]
    subscriptions: list[dict]
    history: list[dict]
    steps: list[dict]

    @classmethod
    async def load(cls, logins) -> "StoredRecords":
        tables = {
            "payments": "payment", "orders": "subscription_order", "invoices": "invoice",
            "lines": "invoice_line", "findings": "payment_discrepancy",
            "subscriptions": "subscription", "history": "subscription_history",
            "steps": "renewal_step",
        }  # fmt: skip
        rows = {
            name: await fetch_rows(logins, f"SELECT * FROM {table} ORDER BY id")
            for name, table in tables.items()
        }
        return cls(**rows)


def assert_all_money_accounted(records: StoredRecords, bank: ChaosBank) -> None:
    paid = {row["reference"]: row for row in records.payments if row["state"] == "paid"}
    assert {key: row["grosze"] for key, row in paid.items()} == bank.paid_amounts, (
        "every payment is recorded"
    )
    assert not [row for row in records.payments if row["state"] in {"starting", "open"}]

    orders = {row["id"]: row for row in records.orders}
    invoices = {row["order_id"]: row for row in records.invoices}
    assert len(invoices) == len(records.invoices), "an order has one invoice"
    discrepancies = {
        row["reference"]
        for row in records.findings
        if row["kind"] not in {"wrong_amount", "wrong_currency"}
    }
    invoiced = 0
    for key, row in paid.items():
        order = orders[row["order_id"]]
        assert row["grosze"] == order["net"] + order["vat"]
        is_fulfilled = order["state"] == "paid" and order["payment_id"] == row["id"]
        gross = invoices[order["id"]]["gross"] if is_fulfilled else 0
        assert gross <= row["grosze"]
        assert (gross < row["grosze"]) is (key in discrepancies), (
            "money that buys nothing is a discrepancy"
        )
        invoiced += gross
    assert invoiced == sum(row["gross"] for row in records.invoices)
    assert discrepancies <= set(paid)
    for row in records.findings:
        if row["kind"] == "wrong_amount":
            assert row["reference"] not in bank.paid_amounts, "another amount is not captured"


def assert_no_double_charge(records: StoredRecords, bank: ChaosBank) -> None:
    assert set(bank.charges_per_payment) == {1}
    orders = {row["id"]: row for row in records.orders}
    renewals = defaultdict(list)
    for row in records.payments:
        order = orders[row["order_id"]]
        if row["state"] == "paid" and order["kind"] == "renewal":
            renewals[row["tenant_id"], order["end_date"]].append(row["reference"])
    assert all(len(keys) == 1 for keys in renewals.values()), "one charge for one end"
    steps = [(row["subscription_id"], row["end_date"], row["step"]) for row in records.steps]
    assert len(set(steps)) == len(steps)


def assert_prices(records: StoredRecords) -> None:
    for order in records.orders:
        for line in (
            order["lines"]
            if isinstance(order["lines"], list)
            else msgspec.json.decode(order["lines"])
        ):
            assert line["vat"] == vat(line["net"])
            if line["kind"] == "period":
                assert line["net"] == period_net(order["driver_limit"])
                continue
            higher = [
                period_net(order["driver_limit"]) - period_net(lower)
                for lower in (5, 10, 15)
                if lower < order["driver_limit"]
            ]
            assert line["net"] in {(2 * net * line["days"] + 30) // 60 for net in higher}
    for invoice in records.invoices:
        lines = [line for line in records.lines if line["invoice_id"] == invoice["id"]]
        assert lines
        assert invoice["net"] == sum(line["net"] for line in lines)
        assert invoice["vat"] == sum(vat(line["net"]) for line in lines)
        assert invoice["gross"] == invoice["net"] + invoice["vat"]


def assert_periods(records: StoredRecords) -> None:
    """Each paid period is 30 Warsaw days from the end, or from the payment if that is later."""
    with_period = {line["invoice_id"] for line in records.lines if line["kind"] == "period"}
    for tenant_id in {row["tenant_id"] for row in records.invoices}:
        end, ends = BEGIN, []
        for invoice in records.invoices:
            if invoice["tenant_id"] == tenant_id and invoice["id"] in with_period:
                end = thirty_days_later(max(end, invoice["paid_at"]))
                ends.append(end)
        written = [
            row["new_end_date"]
            for row in records.history
            if row["tenant_id"] == tenant_id and row["note"] in PERIODS
        ]
        assert written == ends
        last = [row for row in records.subscriptions if row["tenant_id"] == tenant_id][-1]
        assert last["end_date"] == end


def assert_invoice_numbers(records: StoredRecords) -> None:
    serials = defaultdict(list)
    for row in records.invoices:
        serials[row["year"]].append(row["serial"])
    for numbers in serials.values():
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert len(serials) == 2, "the run crosses a year"


def assert_history(records: StoredRecords) -> None:
    for subscription in records.subscriptions:
        rows = [row for row in records.history if row["subscription_id"] == subscription["id"]]
        assert (rows[0]["old_status"], rows[0]["new_status"]) == (None, "active")
        for before, after in pairwise(rows):
            assert after["old_status"] == before["new_status"]
            assert after["old_end_date"] == before["new_end_date"]
            assert after["changed_at"] >= before["changed_at"]
        assert rows[-1]["new_status"] == subscription["status"]
        assert rows[-1]["new_end_date"] == subscription["end_date"]
        renews = subscription["mandate_id"] is not None and subscription["cancelled_at"] is None
        grace = subscription["monitored_until"] - subscription["end_date"]
        assert (grace > timedelta(days=2)) is renews


def assert_coverage(records: StoredRecords, chance: Chance) -> None:
    """The run contained every kind of failure and every step."""
    counts = chance.counts
    assert counts["killed"] > 60
    for event in (
        "refused a charge", "asked for consent", "consented", "the bank was away", "lost a call",
        "called three times", "paid another sum", "paid never", "ordered twice", "cancelled",
        "changed the limit", "the worker was down for days", "killed after the bank charged",
        "killed after the bank confirmed", "killed after the bank knew the order",
        "killed after apply", "killed after issue_invoice",
    ):  # fmt: skip
        assert counts[event], event
    for method in PaymentMethod:
        paid = [
            row for row in records.payments if row["method"] == method and row["state"] == "paid"
        ]
        assert len(paid) > 10, method
    assert {row["step"] for row in records.steps} == {
        "first_charge", "second_charge", "third_charge", "closing", "grace_end",
    }  # fmt: skip
    assert {"paid_twice", "wrong_amount"} <= {row["kind"] for row in records.findings}
    assert len(records.invoices) > 100
