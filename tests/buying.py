"""People who order and pay, with the fake provider of payments."""

from datetime import datetime
from typing import Any

from payments_shop import SELLER
from persons import Person
from prawko.base.jobs import Tools
from prawko.billing.fulfilment import Fulfilment
from prawko.billing.repository import SubscriptionRepository
from prawko.hooks.payments import Money, PaymentRef, Redirect
from prawko.payments.events import work_on_events
from prawko.testing.fake_payments import FakeProvider
from prawko_tenants.ids import TenantId
from prawko_tenants.logins import Logins
from stored import look

ACME = {
    "companyName": "Acme Sp. z o.o.",
    "taxId": "5260250274",
    "street": "Prosta 5/7",
    "postalCode": "00-950",
    "city": "Warszawa",
}
TAKES_MONEY = {**SELLER, "PAYMENT_PROVIDERS": FakeProvider.name}


class Till:
    """What goes on between a company and the provider: orders, payments, calls."""

    def __init__(self, worker: Tools, logins: Logins, fake: FakeProvider) -> None:
        self.worker, self.logins, self.fake = worker, logins, fake

    async def orders(self, person: Person, limit: int, **more: Any) -> str:
        """Order a period and return the order's id."""
        answer = await person.post(
            "/api/subscription/create-checkout-session", {"driverLimit": limit, **ACME, **more}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["orderId"]

    async def pays(
        self, person: Person, order: str, *, times: int = 1, money: Money | None = None
    ) -> None:
        """Pay an order; the provider calls so often, and the worker works on it."""
        callback = await self.fake.pay(await self.redirect(order), money)
        await self.calls(person, callback, times=times)
        await self.works()

    async def fails(self, person: Person, order: str) -> None:
        """Try to pay an order, in vain."""
        await self.calls(person, await self.fake.fail(await self.redirect(order)))
        await self.works()

    async def calls(self, person: Person, callback, *, times: int = 1) -> None:
        """The provider calls."""
        headers = {"content-type": "application/json", **callback.headers}
        for _ in range(times):
            answer = await person.browser.post(
                "/api/webhooks/fake", content=callback.body, headers=headers
            )
            assert answer.status_code == 200, answer.text

    async def works(self) -> None:
        """The worker works on what came."""
        await work_on_events(self.worker, Fulfilment(self.worker))

    async def redirect(self, order: str) -> Redirect:
        """The payment of an order, as the provider knows it."""
        [row] = await look(
            self.logins, "SELECT * FROM payment WHERE order_id = $1 ORDER BY id DESC LIMIT 1", order
        )
        return Redirect(ref=PaymentRef(row["key"], row["provider_ref"]))

    async def buys(self, person: Person, limit: int, **more: Any) -> str:
        """Order and pay; the order's id."""
        order = await self.orders(person, limit, **more)
        await self.pays(person, order)
        return order

    async def order(self, order: str) -> dict[str, Any]:
        """The row of an order."""
        [row] = await look(self.logins, "SELECT * FROM subscription_order WHERE id = $1", order)
        return row

    async def operator_sets(self, person: Person, status: str) -> None:
        """What the console will write: the status of the current subscription."""
        tenant_id = TenantId(await person.tenant_id(self.worker))
        async with self.worker.database.tenant(tenant_id) as session:
            _, current = await SubscriptionRepository(session).hold_current()
            assert current is not None
            current.status = status

    async def history(self) -> list[tuple[str | None, str, str]]:
        """What the histories say, in the order of writing."""
        rows = await look(self.logins, "SELECT * FROM subscription_history ORDER BY id")
        return [(row["old_status"], row["new_status"], row["note"]) for row in rows]

    async def findings(self) -> list[str]:
        """The kinds of what was found."""
        rows = await look(self.logins, "SELECT kind FROM payment_finding ORDER BY id")
        return [row["kind"] for row in rows]


async def shown(person: Person) -> dict[str, Any]:
    """What the subscription page is told."""
    answer = await person.get("/api/subscription")
    assert answer.status_code == 200, answer.text
    return answer.json()


def instant(told: str) -> datetime:
    """A point in time as the API tells it."""
    return datetime.fromisoformat(told)
