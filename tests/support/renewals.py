"""A company that pays at the fake bank, for tests of renewals."""

from datetime import datetime
from uuid import UUID

import httpx

from prawko_tenants.logins import Logins
from prawko_testing.fake_payments import FakePaymentProvider
from support.database import fetch_rows
from support.orders import ACME_DETAILS
from support.payments import fetch_discrepancy_kinds, latest_payment, post_webhook
from support.people import Person


class RenewalCustomer:
    """A person who orders for a company and pays at the bank."""

    def __init__(
        self,
        person: Person,
        bank: FakePaymentProvider,
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
            {"driverLimit": limit, "method": method, **ACME_DETAILS},
        )
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()["orderId"]

    async def pay(self, order_id: str) -> None:
        """Pay it; the bank calls us about it."""
        webhook = await self.bank.pay(await latest_payment(self.logins, order_id))
        assert await post_webhook(self._webhook_client, self.bank.name, webhook) == 200

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
        """Return the gross totals of its invoices, in grosze."""
        rows = await self.fetch("SELECT net + vat AS gross FROM invoice ORDER BY id")
        return [row["gross"] for row in rows]

    async def discrepancy_kinds(self) -> list[str]:
        return await fetch_discrepancy_kinds(self.logins)
