"""Whatever is ordered, paid, failed and cancelled, in whichever order and at whatever time."""

import random
from datetime import datetime

import pytest

from buying import ACME, Till, shown
from prawko.billing.changes import ALLOWED
from prawko.billing.jobs import close_ended_subscriptions
from prawko.billing.notes import Note, note_text
from prawko.billing.status import Status
from stored import look

pytestmark = pytest.mark.anyio

STEPS = 40
CHECKOUT = "/api/subscription/create-checkout-session"
CHANGE = "/api/subscription/change-limit"
WAYS = ("card", "blik", "przelewy24", "transfer")
LATER = ({"minutes": 5}, {"hours": 7}, {"days": 3}, {"days": 13}, {"days": 31})
# What comes before the first parameter: enough to know a note by.
SAID = {note: note_text(note, limit="|", until="|").partition("|")[0] for note in Note}


class Company:
    """One company's life, and what must be true of it after every step."""

    def __init__(self, person, till: Till, clock, dice: random.Random) -> None:
        self.person, self.till, self.clock, self.dice = person, till, clock, dice
        self.orders: list[str] = []
        self.until: datetime | None = None

    async def step(self) -> None:
        step = self.dice.choice(
            [self.order, self.order, self.change, self.pay, self.pay, self.pay, self.fail,
             self.cancel, self.resume, self.wait, self.wait]
        )  # fmt: skip
        await step()
        await self.holds()

    async def order(self) -> None:
        await self._asks(CHECKOUT, {"driverLimit": self._limit(), **ACME, "method": self._way()})

    async def change(self) -> None:
        by = {} if self.dice.random() < 0.3 else {"method": self._way()}
        await self._asks(CHANGE, {"driverLimit": self._limit(), **by})

    async def pay(self) -> None:
        """Pay any order there ever was, once or again: pages stay open for long."""
        if self.orders:
            await self.till.pays(self.person, self.dice.choice(self.orders[-4:]), times=2)

    async def fail(self) -> None:
        if self.orders:
            order = self.dice.choice(self.orders)
            if (await self.till.order(order))["state"] == "open":
                await self.till.fails(self.person, order)

    async def cancel(self) -> None:
        await self.person.post("/api/subscription/cancel")

    async def resume(self) -> None:
        await self.person.post("/api/subscription/resume")

    async def wait(self) -> None:
        self.clock.forward(**self.dice.choice(LATER))
        await close_ended_subscriptions(self.till.worker)

    async def holds(self) -> None:
        """Nothing that was paid for is taken away, and the history is one that may be."""
        rows = await look(self.till.logins, "SELECT * FROM subscription ORDER BY id DESC LIMIT 1")
        if rows and not rows[0]["is_trial"]:
            [row] = rows
            assert self.until is None or row["end_date"] >= self.until
            self.until = row["end_date"]
            assert row["checked_until"] >= row["end_date"]
            assert (row["next_limit"] is None) is (row["next_limit_at"] is None)
        for old, new, said in await self.till.history():
            found = {note for note, text in SAID.items() if said.startswith(text)}
            changes = {change[1:] for change in ALLOWED if change[3] in found}
            assert (old and Status(old), Status(new)) in {change[:2] for change in changes}

    async def adds_up(self) -> None:
        """Every grosz is on an invoice, or known to the operators."""
        orders = await look(self.till.logins, "SELECT * FROM subscription_order")
        invoices = await look(self.till.logins, "SELECT order_id, gross FROM invoice")
        sold = {row["order_id"]: row["gross"] for row in invoices}
        assert len(sold) == len(invoices)
        found = await look(self.till.logins, "SELECT kind, key FROM payment_finding")
        keys = {row["key"] for row in found}
        payments = await look(self.till.logins, "SELECT * FROM payment WHERE state = 'paid'")
        paid = {row["order_id"]: row for row in payments}
        assert set(sold) <= set(paid)
        for order in orders:
            payment = paid.get(order["id"])
            assert (order["state"] in {"paid", "void"}) is (payment is not None)
            if payment is None:
                continue
            assert payment["grosze"] == order["net"] + order["vat"]
            void = payment["grosze"] - sold.get(order["id"], 0)
            assert (void > 0) is (payment["key"] in keys)
            assert (order["state"] == "void") is (order["id"] not in sold)
        begun = [SAID[note] for note in (Note.PAID, Note.PROLONGED, Note.PAID_AFTER_END)]
        periods = [row for row in await self.till.history() if row[2] in begun]
        fulfilled = [row for row in orders if row["kind"] == "period" and row["state"] == "paid"]
        assert len(periods) == len(fulfilled)

    async def _asks(self, path: str, body: dict) -> None:
        answer = await self.person.post(path, body)
        assert answer.status_code in {200, 409, 422, 429}, answer.text
        if answer.status_code == 200 and answer.json()["url"] is not None:
            self.orders.append(answer.json()["orderId"])

    def _limit(self) -> int:
        return self.dice.choice((5, 10, 15, 25))

    def _way(self) -> str:
        return self.dice.choice(WAYS)


@pytest.fixture
def variables(variables) -> dict[str, str]:
    """This company orders all day."""
    return {**variables, "ORDERS_PER_COMPANY": "1000"}


@pytest.mark.parametrize("seed", range(4))
async def test_no_sequence_shortens_what_is_paid_or_loses_a_grosz(
    newcomer, till, clock, fake, monkeypatch, seed
) -> None:
    dice = random.Random(seed)
    monkeypatch.setattr(type(fake), "cancel", lambda self, ref: self.status(ref))  # never in time
    company = Company(newcomer, till, clock, dice)

    for _ in range(STEPS):
        await company.step()

    await company.adds_up()
    assert (await shown(newcomer))["status"] in {"active", "expired", "cancelled", "inactive"}
