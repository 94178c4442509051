"""Random sequences of orders, payments, failures, cancellations and time."""

import random
from datetime import datetime

import pytest

from prawko.billing.jobs import expire_ended_subscriptions
from prawko.billing.models import SubscriptionStatus
from prawko.billing.transitions import TRANSITIONS, HistoryEvent, describe_event
from support.database import fetch_rows
from support.orders import ACME_DETAILS, OrderScenario, fetch_subscription

pytestmark = pytest.mark.anyio

STEPS = 40
CHECKOUT = "/api/subscription/create-checkout-session"
CHANGE = "/api/subscription/change-limit"
METHODS = ("card", "blik", "przelewy24", "transfer")
DELAYS = ({"minutes": 5}, {"hours": 7}, {"days": 3}, {"days": 13}, {"days": 31})
# The text before the first parameter identifies a note.
NOTE_TEXTS = {
    note: describe_event(note, limit="|", until="|").partition("|")[0] for note in HistoryEvent
}


class RandomCompany:
    """Random actions of one company, and the invariants after each."""

    def __init__(self, person, scenario: OrderScenario, clock, rng: random.Random) -> None:
        self.person, self.scenario, self.clock, self.rng = person, scenario, clock, rng
        self.orders: list[str] = []
        self.paid_until: datetime | None = None

    async def step(self) -> None:
        step = self.rng.choice(
            [self.order, self.order, self.change, self.pay, self.pay, self.pay, self.fail,
             self.cancel, self.resume, self.wait, self.wait]
        )  # fmt: skip
        await step()
        await self.check_invariants()

    async def order(self) -> None:
        await self._post(
            CHECKOUT,
            {"driverLimit": self._random_limit(), **ACME_DETAILS, "method": self._random_method()},
        )

    async def change(self) -> None:
        choice = {} if self.rng.random() < 0.3 else {"method": self._random_method()}
        await self._post(CHANGE, {"driverLimit": self._random_limit(), **choice})

    async def pay(self) -> None:
        """Pay any of the last orders, once or again: pages stay open for long."""
        if self.orders:
            await self.scenario.pay(self.person, self.rng.choice(self.orders[-4:]), times=2)

    async def fail(self) -> None:
        if self.orders:
            order = self.rng.choice(self.orders)
            if (await self.scenario.order_row(order))["state"] == "open":
                await self.scenario.fail_payment(self.person, order)

    async def cancel(self) -> None:
        await self.person.post("/api/subscription/cancel")

    async def resume(self) -> None:
        await self.person.post("/api/subscription/resume")

    async def wait(self) -> None:
        self.clock.forward(**self.rng.choice(DELAYS))
        await expire_ended_subscriptions(self.scenario.worker)

    async def check_invariants(self) -> None:
        """Paid time is never shortened, and the history has allowed transitions only."""
        rows = await fetch_rows(
            self.scenario.logins, "SELECT * FROM subscription ORDER BY id DESC LIMIT 1"
        )
        if rows and not rows[0]["is_trial"]:
            [row] = rows
            assert self.paid_until is None or row["end_date"] >= self.paid_until
            self.paid_until = row["end_date"]
            assert row["monitored_until"] >= row["end_date"]
            assert (row["scheduled_limit"] is None) is (row["scheduled_limit_at"] is None)
        for old_end, new_end, text in await self.scenario.history_rows():
            events = {event for event, prefix in NOTE_TEXTS.items() if text.startswith(prefix)}
            changes = {change[1:] for change in TRANSITIONS if change[3] in events}
            assert (old_end and SubscriptionStatus(old_end), SubscriptionStatus(new_end)) in {
                change[:2] for change in changes
            }

    async def check_totals(self) -> None:
        """Every payment is on an invoice or a discrepancy."""
        orders = await fetch_rows(self.scenario.logins, "SELECT * FROM subscription_order")
        invoices = await fetch_rows(self.scenario.logins, "SELECT order_id, gross FROM invoice")
        invoiced = {row["order_id"]: row["gross"] for row in invoices}
        assert len(invoiced) == len(invoices)
        discrepancies = await fetch_rows(
            self.scenario.logins, "SELECT kind, reference FROM payment_discrepancy"
        )
        references = {row["reference"] for row in discrepancies}
        payments = await fetch_rows(
            self.scenario.logins, "SELECT * FROM payment WHERE state = 'paid'"
        )
        paid = {row["order_id"]: row for row in payments}
        assert set(invoiced) <= set(paid)
        for order in orders:
            payment = paid.get(order["id"])
            assert (order["state"] in {"paid", "void"}) is (payment is not None)
            if payment is None:
                continue
            assert payment["grosze"] == order["net"] + order["vat"]
            void = payment["grosze"] - invoiced.get(order["id"], 0)
            assert (void > 0) is (payment["reference"] in references)
            assert (order["state"] == "void") is (order["id"] not in invoiced)
        period_notes = [
            NOTE_TEXTS[note]
            for note in (HistoryEvent.PAID, HistoryEvent.PROLONGED, HistoryEvent.PAID_AFTER_END)
        ]
        periods = [row for row in await self.scenario.history_rows() if row[2] in period_notes]
        fulfilled = [row for row in orders if row["kind"] == "period" and row["state"] == "paid"]
        assert len(periods) == len(fulfilled)

    async def _post(self, path: str, body: dict) -> None:
        answer = await self.person.post(path, body)
        assert answer.status_code in {200, 409, 422, 429}, answer.text
        if answer.status_code == 200 and answer.json()["url"] is not None:
            self.orders.append(answer.json()["orderId"])

    def _random_limit(self) -> int:
        return self.rng.choice((5, 10, 15, 25))

    def _random_method(self) -> str:
        return self.rng.choice(METHODS)


@pytest.fixture(autouse=True)
def _many_orders(context) -> None:
    """Without the rate limit of orders."""
    context.max_tries["order"] = 1000


@pytest.mark.parametrize("seed", range(4))
async def test_no_sequence_of_actions_shortens_paid_time_or_loses_money(
    newcomer, scenario, clock, fake, monkeypatch, seed
) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(
        type(fake), "cancel", lambda self, ref: self.query_status(ref)
    )  # nothing is cancelled in time
    company = RandomCompany(newcomer, scenario, clock, rng)

    for _ in range(STEPS):
        await company.step()

    await company.check_totals()
    assert (await fetch_subscription(newcomer))["status"] in {
        "active",
        "expired",
        "cancelled",
        "inactive",
    }
