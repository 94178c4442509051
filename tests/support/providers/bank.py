"""A bank with a will of its own, and a company that pays at it: for tests of renewals."""

from datetime import datetime, timedelta
from uuid import UUID

import httpx
import msgspec

from prawko.hooks.payments import (
    Mandate,
    NextAction,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    ProviderPayment,
)
from prawko_tenants.logins import Logins
from prawko_testing.fake_payments import FakePaymentProvider
from support.database import fetch_rows
from support.people import Person

BILLING_DETAILS = {
    "companyName": "Acme", "taxId": "5260250274", "street": "Prosta 5", "postalCode": "00-950",
    "city": "Warszawa",
}  # fmt: skip


class ProcessKilled(BaseException):
    """The process is gone: nothing after this line happens, nor is it caught as a failure."""


def kill_once_at(monkeypatch, target, name: str, *, after: bool = False) -> None:
    """The process is killed once, when it comes to this method, or has done it."""
    method = getattr(target, name)

    async def die(self, *args, **named):
        monkeypatch.setattr(target, name, method)
        if after:
            await method(self, *args, **named)
        raise ProcessKilled

    monkeypatch.setattr(target, name, die)


class ScriptedBank(FakePaymentProvider):
    """The fake provider with banks that ask for consent, and a worker that may die behind it.

    `asks` makes charges wait for their payer's consent. `kills` ends the worker as soon as the
    bank has charged, before it can hear of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.requires_consent = False
        self.kill_after_charge = False

    async def charge(self, mandate: Mandate, request: PaymentRequest) -> ProviderPayment:
        if self.requires_consent and request.reference not in self.payments:
            self._raise_failure()
            self._open_payment(request)
        charged = await super().charge(mandate, request)
        if self.kill_after_charge:
            self.kill_after_charge = False
            raise ProcessKilled
        return charged

    async def give_consent(self, key: str) -> None:
        """Be the payer, who lets an open charge through."""
        self.charge_counts[key] += 1
        paid = msgspec.structs.replace(self.payments[key], state=PaymentState.PAID)
        self.payments[key] = paid

    def refuse_consent(self, key: str) -> None:
        """Be the payer, who does not."""
        refused = msgspec.structs.replace(self.payments[key], state=PaymentState.FAILED)
        self.payments[key] = refused

    @property
    def paid_amounts(self) -> dict[str, int]:
        """What each order's payer has paid, in grosze, by its key."""
        return {
            key: payment.money.grosze
            for key, payment in self.payments.items()
            if payment.state is PaymentState.PAID
        }

    @property
    def charges_per_payment(self) -> list[int]:
        """How often each payment was charged to a mandate, in their order."""
        return list(self.charge_counts.values())

    def _open_payment(self, order: PaymentRequest) -> None:
        url = f"https://bank.test/consent/{order.reference}"
        self.payments[order.reference] = msgspec.structs.replace(self._create(order), url=url)


class RenewalCustomer:
    """A person who orders for a company and pays at the bank."""

    def __init__(
        self,
        person: Person,
        bank: ScriptedBank,
        logins: Logins,
        tenant_id: UUID,
        line: httpx.AsyncClient,
    ) -> None:
        self.person, self.bank, self.logins, self.tenant_id = person, bank, logins, tenant_id
        self._webhook_client = line  # by which the bank calls us

    async def place_order(self, limit: int = 5, method: str = "card") -> str:
        """Order a period; the order's id."""
        answer = await self.person.post(
            "/api/subscription/create-checkout-session",
            {"driverLimit": limit, "method": method, **BILLING_DETAILS},
        )
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()["orderId"]

    async def pay(self, order_id: str) -> None:
        """Pay it; the bank calls us about it."""
        [row] = await self.fetch(
            "SELECT reference, provider_ref FROM payment"
            " WHERE order_id = $1 ORDER BY id DESC LIMIT 1",
            UUID(order_id),
        )
        call = await self.bank.pay(
            NextAction(ref=PaymentRef(row["reference"], row["provider_ref"]))
        )
        headers = {**call.headers, "content-type": "application/json"}
        heard = await self._webhook_client.post(
            f"/api/webhooks/{self.bank.name}", content=call.body, headers=headers
        )
        assert heard.status_code == 200, heard.text

    async def fetch(self, sql: str, *args: object) -> list[dict]:
        return await fetch_rows(self.logins, sql, *args)

    async def subscription(self) -> dict:
        """The current one, as stored."""
        [row] = await self.fetch(
            "SELECT * FROM subscription WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1",
            self.tenant_id,
        )
        return row

    async def period_end(self) -> datetime:
        return (await self.subscription())["end_date"]

    async def steps(self) -> list[str]:
        """The steps of the timetable so far, in their order."""
        rows = await self.fetch("SELECT step FROM renewal_step ORDER BY id")
        return [row["step"] for row in rows]

    async def notice_kinds(self) -> list[str]:
        """The kinds of the notices about money and ends, trials aside, oldest first."""
        rows = await self.fetch(
            "SELECT kind FROM notice WHERE kind NOT LIKE 'trial%' ORDER BY created_at, id"
        )
        return [row["kind"] for row in rows]

    async def history_notes(self) -> list[str]:
        """The notes of its paid subscriptions, oldest first."""
        rows = await self.fetch(
            "SELECT h.note FROM subscription_history h JOIN subscription s"
            " ON s.id = h.subscription_id WHERE NOT s.is_trial ORDER BY h.id"
        )
        return [row["note"] for row in rows]

    async def invoice_totals(self) -> list[int]:
        """What stands on its invoices, in grosze."""
        rows = await self.fetch("SELECT net + vat AS gross FROM invoice ORDER BY id")
        return [row["gross"] for row in rows]

    async def discrepancy_kinds(self) -> list[str]:
        rows = await self.fetch("SELECT kind FROM payment_discrepancy ORDER BY id")
        return [row["kind"] for row in rows]


def days(number: float) -> timedelta:
    return timedelta(days=number)
