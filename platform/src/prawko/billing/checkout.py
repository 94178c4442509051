"""Orders a period: read, ask which ways to pay there are, write, ask the provider.

No transaction is open while a provider is asked. What was read is read again, under the
company's lock, where it is written.
"""

from collections.abc import Mapping
from datetime import timedelta

from prawko.accounts.activity import Origin
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.throttle import Limit, Throttle
from prawko.base.jobs import Tools
from prawko.billing.company_details import details_to_order, keep_details
from prawko.billing.head_count import HeadCount
from prawko.billing.methods import choose
from prawko.billing.order_schemas import CheckoutIn, CheckoutOut
from prawko.billing.ordering import total
from prawko.billing.orders import OrderKind
from prawko.billing.placing import Buying, Desk, Placed
from prawko.billing.situation import Situation, situation
from prawko.hooks.payments import Money
from prawko.payments.purchase import OfferedMethod
from prawko.payments.service import Payments
from prawko_tenants.sessions import TenantSession

HOUR = timedelta(hours=1)


class Checkout:
    """Takes orders of periods for one person."""

    def __init__(
        self,
        tools: Tools,
        payments: Payments,
        head_count: HeadCount,
        who: Identity,
        origin: Origin,
    ) -> None:
        self._tools = tools
        self._payments = payments
        self._head_count = head_count
        self._who = who
        self._desk = Desk(tools, payments, who, origin)

    async def order(self, data: CheckoutIn) -> CheckoutOut:
        """Order a period and say where it is paid.

        Refused before anybody is asked: SubscriptionSuspendedError, InvalidDriverLimitError,
        BillingDetailsRequiredError, InvalidBillingDetailsError, InvalidTaxIdError,
        InvalidPaymentMethodError, TooManyRequestsError. Raises PaymentRefusedError and
        PaymentUnavailableError.
        """
        money = await self._sum(data)
        way = await chosen_way(
            self._tools, self._payments, self._who, money, data.method, data.blik_code
        )
        placed = await self._place(data, way)
        return CheckoutOut(url=await self._desk.send(placed), order_id=placed.order_id)

    async def _sum(self, data: CheckoutIn) -> Money:
        async with self._tools.database.tenant(self._who.tenant_id) as session:
            return Money(total(self._buying(await self._found(session), data).lines).gross)

    async def _place(self, data: CheckoutIn, way: OfferedMethod) -> Placed:
        async with self._tools.database.tenant(self._who.tenant_id) as session:
            await refuse_revoked(session, self._who)
            found = await self._found(session, hold=True)
            buying = self._buying(found, data)
            keep_details(found.company, buying.details, found.now)
            return await self._desk.place(session, buying, way, data.blik_code)

    async def _found(self, session: TenantSession, *, hold: bool = False) -> Situation:
        return await situation(session, self._head_count, self._tools.clock.now(), hold=hold)

    def _buying(self, found: Situation, data: CheckoutIn) -> Buying:
        quote = found.period(data.driver_limit)
        running = found.running
        raises = running is not None and quote.limit > min(running.limit, running.last_limit)
        return Buying(
            kind=OrderKind.PERIOD,
            limit=quote.limit,
            lines=quote.lines,
            details=details_to_order(found.company, _given(data), self._tools.settings),
            from_limit=running.limit if running is not None and raises else None,
            end=running.end if running is not None else None,
        )


async def count_order(tools: Tools, who: Identity) -> None:
    """Count an order that a provider will hear of. Raises TooManyRequestsError."""
    limit = Limit("order", tools.settings.orders_per_company, HOUR)
    await Throttle(tools.database, tools.vault).count(limit, str(who.tenant_id))


async def chosen_way(
    tools: Tools, payments: Payments, who: Identity, money: Money,
    wanted: str | None, blik_code: str | None,
) -> OfferedMethod:  # fmt: skip
    """The way to pay, of those that take this sum. Asks the providers: hold no transaction.

    Raises InvalidPaymentMethodError, PaymentUnavailableError, TooManyRequestsError.
    """
    choose(payments.methods(), wanted, blik_code)
    await count_order(tools, who)
    return choose(await payments.available(money), wanted, blik_code)


def _given(data: CheckoutIn) -> Mapping[str, str | None]:
    fields = ("company_name", "tax_id", "street", "postal_code", "city")
    return {name: getattr(data, name) for name in fields}
