"""The desk where one person orders: what every order of theirs is made with.

What was read here is read again, with the company held, where it is written: others order, pay
and sign out meanwhile, and no transaction is open while a provider is asked.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from prawko.accounts.activity import Origin
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.throttle import Limit, Throttle
from prawko.base.jobs import Tools
from prawko.billing.head_count import HeadCount
from prawko.billing.methods import choose
from prawko.billing.situation import Situation, situation
from prawko.hooks.payments import Money
from prawko.payments.purchase import OfferedMethod
from prawko.payments.service import Payments
from prawko_tenants.sessions import TenantSession

HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Desk:
    """Who orders, where from, and who is asked about it."""

    tools: Tools
    payments: Payments
    head_count: HeadCount
    who: Identity
    origin: Origin

    async def found(self) -> Situation:
        """The company as it stands at this moment."""
        async with self.tools.database.tenant(self.who.tenant_id) as session:
            return await situation(session, self.head_count, self.tools.clock.now())

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[tuple[TenantSession, Situation]]:
        """The company as it stands until the block ends: nobody else orders for it meanwhile.

        One transaction. Raises AuthRequiredError for who has been signed out.
        """
        async with self.tools.database.tenant(self.who.tenant_id) as session:
            await refuse_revoked(session, self.who)
            now = self.tools.clock.now()
            yield session, await situation(session, self.head_count, now, hold=True)

    async def way_to_pay(
        self, money: Money, wanted: str | None, blik_code: str | None
    ) -> OfferedMethod:
        """The way to pay, of those that take this sum. Asks the providers: hold no transaction.

        Raises InvalidPaymentMethodError, PaymentUnavailableError, TooManyRequestsError.
        """
        choose(self.payments.methods(), wanted, blik_code)
        await self.count_order()
        return choose(await self.payments.available(money), wanted, blik_code)

    async def count_order(self) -> None:
        """Count an order that a provider will hear of. Raises TooManyRequestsError."""
        limit = Limit("order", self.tools.settings.orders_per_company, HOUR)
        throttle = Throttle(self.tools.database, self.tools.vault)
        await throttle.count(limit, str(self.who.tenant_id))
