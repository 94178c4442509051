"""Writes orders and their payments, in one transaction that holds the company.

What is ordered is written first: a provider is asked when the order stands (`paying`).
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from prawko.accounts.activity import Act, note
from prawko.accounts.repository import AccountRepository
from prawko.base.texts import say
from prawko.billing.desk import Desk
from prawko.billing.details import Details
from prawko.billing.models import SubscriptionOrder
from prawko.billing.order_repository import OrderRepository
from prawko.billing.ordering import Line, total
from prawko.billing.orders import OrderKind, OrderState
from prawko.hooks.payments import Money, Payer
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.purchase import MandateView, OfferedMethod, Purchase
from prawko.payments.settling import UNFINISHED
from prawko_tenants.ids import new_id
from prawko_tenants.sessions import TenantSession

PAID_PAGE = "/panel/subscription/success?order={order_id}"


class Buying(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be ordered; `from_limit` and `end` are what an upgrade is priced for."""

    kind: OrderKind
    limit: int
    lines: tuple[Line, ...]
    details: Details
    from_limit: int | None = None
    end: datetime | None = None


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """An order that stands, its payment, and the orders whose place it took.

    `purchase` is what a provider's page is opened with; None where a mandate is charged.
    """

    order_id: UUID
    payment_id: UUID
    superseded: Sequence[UUID]
    purchase: Purchase | None = None


class Placing:
    """Takes the orders of one person, in the caller's transaction.

    While a saved card is being charged, whoever asked for it, nothing else is ordered: what the
    charge brings must be known before the next is priced. Every order raises
    PaymentUnavailableError then. A charge that waits for its payer may be left behind, and so
    may one of which nobody has heard for an hour.
    """

    def __init__(self, desk: Desk, session: TenantSession) -> None:
        self._desk = desk
        self._session = session
        self._orders = OrderRepository(session)

    async def on_a_page(self, buying: Buying, way: OfferedMethod, blik_code: str | None) -> Placed:
        """Write an order that its payer will pay on a page, or in an app, or at a bank."""
        if await self._under_way(buying) is not None:
            raise PaymentUnavailableError
        order, superseded = await self._write(buying, way.method.value)
        base_url = self._desk.tools.settings.base_url
        purchase = Purchase(
            order_id=order.id,
            money=_money(order),
            method=way.method,
            title=self._title(buying),
            payer=await self._payer(buying.details),
            return_url=f"{base_url}{PAID_PAGE.format(order_id=order.id)}",
            blik_code=blik_code,
            save=way.renews,
        )
        payment_id = await self._desk.payments.prepare(self._session, purchase)
        return Placed(
            order_id=order.id, payment_id=payment_id, superseded=superseded, purchase=purchase
        )

    async def by_mandate(self, buying: Buying, mandate: MandateView) -> Placed:
        """Write an order that a mandate will pay; the same one for whoever asks for it again."""
        waiting = await self._under_way(buying)
        if waiting is not None:
            return waiting
        order, superseded = await self._write(buying, mandate.method.value)
        payment_id = await self._desk.payments.prepare_charge(
            self._session,
            order.id,
            _money(order),
            mandate.id,
            self._title(buying),
            await self._payer(buying.details),
        )
        return Placed(order_id=order.id, payment_id=payment_id, superseded=superseded)

    async def _under_way(self, buying: Buying) -> Placed | None:
        """The same order, where a mandate is charged for it; None where none is charged."""
        order = await self._orders.open_one()
        payment = order and await self._desk.payments.of_order(self._session, order.id)
        if not order or not payment or payment.mandate_id is None:
            return None
        if payment.state not in UNFINISHED:
            return None
        asked = (buying.kind, buying.limit, buying.from_limit, buying.end)
        if (order.kind, order.driver_limit, order.from_limit, order.end_date) == asked:
            return Placed(order_id=order.id, payment_id=payment.id, superseded=())
        if payment.is_being_charged(self._desk.tools.clock.now()):
            raise PaymentUnavailableError
        return None

    async def _write(self, buying: Buying, method: str) -> tuple[SubscriptionOrder, Sequence[UUID]]:
        desk, price = self._desk, total(buying.lines)
        now = desk.tools.clock.now()
        order = SubscriptionOrder(
            id=new_id(),
            kind=buying.kind,
            state=OrderState.OPEN,
            driver_limit=buying.limit,
            from_limit=buying.from_limit,
            end_date=buying.end,
            lines=msgspec.to_builtins(buying.lines),
            net=price.net,
            vat=price.vat,
            method=method,
            created_by=desk.who.user_id,
            created_at=now,
            **msgspec.structs.asdict(buying.details),
        )
        await self._orders.add(order)
        superseded = await self._orders.supersede(by=order.id)
        await note(self._session, Act.ORDER_PLACED, desk.who, desk.origin, now, order=order.id)
        return order, superseded

    async def _payer(self, details: Details) -> Payer:
        who, origin = self._desk.who, self._desk.origin
        profile = await AccountRepository(self._session).profile(who.user_id)
        return Payer(
            email=profile.email,
            name=details.company_name,
            language=who.language,
            ip=origin.ip,
            agent=origin.agent,
        )

    def _title(self, buying: Buying) -> str:
        what = "upgrade" if buying.kind is OrderKind.UPGRADE else "period"
        brand = self._desk.tools.settings.brand
        return say(
            f"billing.order.{what}", self._desk.who.language, brand=brand, limit=buying.limit
        )


def _money(order: SubscriptionOrder) -> Money:
    return Money(order.net + order.vat)
