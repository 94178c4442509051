"""A scenario of orders and payments with the fake payment provider."""

from datetime import datetime
from typing import Any

from prawko.billing.repository import SubscriptionRepository
from prawko.hooks.payments import Money, NextAction
from prawko.kit.context import AppContext
from prawko.payments.webhook_processing import process_events
from prawko_tenants.ids import TenantId
from prawko_tenants.logins import Logins
from prawko_testing.fake_payments import FakePaymentProvider
from support.database import fetch_rows
from support.payments import SELLER_VARIABLES, fetch_discrepancy_kinds, latest_payment, post_webhook
from support.people import Person

ACME_DETAILS = {
    "companyName": "Acme Sp. z o.o.",
    "taxId": "5260250274",
    "street": "Prosta 5/7",
    "postalCode": "00-950",
    "city": "Warszawa",
}
PAYMENT_VARIABLES = {**SELLER_VARIABLES, "PAYMENT_PROVIDERS": FakePaymentProvider.name}


class OrderScenario:
    """Orders, payments and webhooks between companies and the fake provider."""

    def __init__(self, worker: AppContext, logins: Logins, fake: FakePaymentProvider) -> None:
        self.logins, self.fake = logins, fake
        self.use_worker(worker)

    def use_worker(self, worker: AppContext) -> None:
        """Process webhooks in this process from now on."""
        self.worker = worker

    async def place_order(self, person: Person, limit: int, **options: Any) -> str:
        """Order a period and return the order's id."""
        answer = await person.post(
            "/api/subscription/create-checkout-session",
            {"driverLimit": limit, **ACME_DETAILS, **options},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["orderId"]

    async def pay(
        self, person: Person, order: str, *, times: int = 1, money: Money | None = None
    ) -> None:
        """Pay an order, send the webhook `times` times, and process it."""
        callback = await self.fake.pay(await self.payment_redirect(order), money)
        await self.post_webhook(person, callback, times=times)
        await self.process_webhooks()

    async def fail_payment(self, person: Person, order: str) -> None:
        """Fail the payment of an order and process the webhook."""
        await self.post_webhook(person, await self.fake.fail(await self.payment_redirect(order)))
        await self.process_webhooks()

    async def post_webhook(self, person: Person, callback, *, times: int = 1) -> None:
        """Post a webhook of the provider `times` times."""
        for _ in range(times):
            assert await post_webhook(person.browser, self.fake.name, callback) == 200

    async def process_webhooks(self) -> None:
        """Process the stored webhooks, as the worker does."""
        await process_events(self.worker)

    async def payment_redirect(self, order: str) -> NextAction:
        """The newest payment of an order, as the provider knows it."""
        return await latest_payment(self.logins, order)

    async def buy(self, person: Person, limit: int, **options: Any) -> str:
        """Order and pay; the order's id."""
        order = await self.place_order(person, limit, **options)
        await self.pay(person, order)
        return order

    async def order_row(self, order: str) -> dict[str, Any]:
        """The row of an order."""
        [row] = await fetch_rows(
            self.logins, "SELECT * FROM subscription_order WHERE id = $1", order
        )
        return row

    async def set_status(self, person: Person, status: str) -> None:
        """Set the status of the current subscription, as an operator would."""
        tenant_id = TenantId(await person.tenant_id(self.worker))
        async with self.worker.database.tenant(tenant_id) as session:
            _, current = await SubscriptionRepository(session).lock_current()
            assert current is not None
            current.status = status

    async def history_rows(self) -> list[tuple[str | None, str, str]]:
        """The history rows as (old status, new status, note), in order."""
        rows = await fetch_rows(self.logins, "SELECT * FROM subscription_history ORDER BY id")
        return [(row["old_status"], row["new_status"], row["note"]) for row in rows]

    async def discrepancy_kinds(self) -> list[str]:
        """The kinds of the discrepancies, in order."""
        return await fetch_discrepancy_kinds(self.logins)


async def fetch_subscription(person: Person) -> dict[str, Any]:
    """The response of `GET /api/subscription`."""
    answer = await person.get("/api/subscription")
    assert answer.status_code == 200, answer.text
    return answer.json()


def parse_instant(text: str) -> datetime:
    """Parse an instant of the API."""
    return datetime.fromisoformat(text)
