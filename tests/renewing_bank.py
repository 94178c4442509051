"""A bank with a will of its own, and a company that pays at it: for tests of renewals."""

from datetime import datetime, timedelta
from uuid import UUID

import httpx
import msgspec

from persons import Person
from prawko.hooks.payments import (
    Mandate,
    Order,
    Payment,
    PaymentRef,
    PaymentState,
    Redirect,
)
from prawko.testing.fake_payments import FakeProvider
from prawko_tenants.logins import Logins
from stored import look

DETAILS = {
    "companyName": "Acme", "taxId": "5260250274", "street": "Prosta 5", "postalCode": "00-950",
    "city": "Warszawa",
}  # fmt: skip


class Killed(BaseException):
    """The process is gone: nothing after this line happens, nor is it caught as a failure."""


def dying(monkeypatch, whose, name: str, *, after: bool = False) -> None:
    """The process is killed once, when it comes to this method, or has done it."""
    method = getattr(whose, name)

    async def die(self, *args, **named):
        monkeypatch.setattr(whose, name, method)
        if after:
            await method(self, *args, **named)
        raise Killed

    monkeypatch.setattr(whose, name, die)


class Bank(FakeProvider):
    """The fake provider with banks that ask for consent, and a worker that may die behind it.

    `asks` makes charges wait for their payer's consent. `kills` ends the worker as soon as the
    bank has charged, before it can hear of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asks = False
        self.kills = False

    async def charge(self, mandate: Mandate, order: Order) -> Payment:
        if self.asks and order.key not in self.payments:
            self._ask()
            self._becomes_open(order)
        charged = await super().charge(mandate, order)
        if self.kills:
            self.kills = False
            raise Killed
        return charged

    async def consents(self, key: str) -> None:
        """Be the payer, who lets an open charge through."""
        self._charged[key] += 1
        paid = msgspec.structs.replace(self.payments[key], state=PaymentState.PAID)
        self.payments[key] = paid

    def refuse(self, key: str) -> None:
        """Be the payer, who does not."""
        refused = msgspec.structs.replace(self.payments[key], state=PaymentState.FAILED)
        self.payments[key] = refused

    @property
    def taken(self) -> dict[str, int]:
        """What each order's payer has paid, in grosze, by its key."""
        return {
            key: payment.money.grosze
            for key, payment in self.payments.items()
            if payment.state is PaymentState.PAID
        }

    @property
    def charged(self) -> list[int]:
        """How often each order was charged to a mandate, in their order."""
        return list(self._charged.values())

    def _becomes_open(self, order: Order) -> None:
        url = f"https://bank.test/consent/{order.key}"
        self.payments[order.key] = msgspec.structs.replace(self._register(order), url=url)


class Customer:
    """A person who orders for a company and pays at the bank."""

    def __init__(
        self, person: Person, bank: Bank, logins: Logins, tenant_id: UUID, line: httpx.AsyncClient
    ) -> None:
        self.person, self.bank, self.logins, self.tenant_id = person, bank, logins, tenant_id
        self._line = line  # by which the bank calls us

    async def orders(self, limit: int = 5, method: str = "card") -> str:
        """Order a period; the order's id."""
        answer = await self.person.post(
            "/api/subscription/create-checkout-session",
            {"driverLimit": limit, "method": method, **DETAILS},
        )
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()["orderId"]

    async def pays(self, order_id: str) -> None:
        """Pay it; the bank calls us about it."""
        [row] = await self.rows(
            "SELECT key, provider_ref FROM payment WHERE order_id = $1 ORDER BY id DESC LIMIT 1",
            UUID(order_id),
        )
        call = await self.bank.pay(Redirect(ref=PaymentRef(row["key"], row["provider_ref"])))
        headers = {**call.headers, "content-type": "application/json"}
        heard = await self._line.post(
            f"/api/webhooks/{self.bank.name}", content=call.body, headers=headers
        )
        assert heard.status_code == 200, heard.text

    async def rows(self, sql: str, *args: object) -> list[dict]:
        return await look(self.logins, sql, *args)

    async def subscription(self) -> dict:
        """The current one, as stored."""
        [row] = await self.rows(
            "SELECT * FROM subscription WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1",
            self.tenant_id,
        )
        return row

    async def end(self) -> datetime:
        return (await self.subscription())["end_date"]

    async def steps(self) -> list[str]:
        """The steps of the timetable so far, in their order."""
        rows = await self.rows("SELECT step FROM renewal_step ORDER BY id")
        return [row["step"] for row in rows]

    async def told(self) -> list[str]:
        """The kinds of the notices about money and ends, trials aside, oldest first."""
        rows = await self.rows(
            "SELECT kind FROM notice WHERE kind NOT LIKE 'trial%' ORDER BY created_at, id"
        )
        return [row["kind"] for row in rows]

    async def history(self) -> list[str]:
        """The notes of its paid subscriptions, oldest first."""
        rows = await self.rows(
            "SELECT h.note FROM subscription_history h JOIN subscription s"
            " ON s.id = h.subscription_id WHERE NOT s.is_trial ORDER BY h.id"
        )
        return [row["note"] for row in rows]

    async def invoices(self) -> list[int]:
        """What stands on its invoices, in grosze."""
        rows = await self.rows("SELECT net + vat AS gross FROM invoice ORDER BY id")
        return [row["gross"] for row in rows]

    async def findings(self) -> list[str]:
        rows = await self.rows("SELECT kind FROM payment_finding ORDER BY id")
        return [row["kind"] for row in rows]


def days(number: float) -> timedelta:
    return timedelta(days=number)
