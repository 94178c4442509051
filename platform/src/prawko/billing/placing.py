"""Writes orders and hands them to be paid.

What is ordered is written first: a provider is asked when the order stands, and no transaction
is open meanwhile.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.identity import Identity
from prawko.accounts.repository import AccountRepository
from prawko.base.jobs import Tools
from prawko.base.texts import say
from prawko.billing.details import Details
from prawko.billing.models import SubscriptionOrder
from prawko.billing.order_repository import OrderRepository
from prawko.billing.ordering import Line, total
from prawko.billing.orders import OrderKind, OrderState
from prawko.billing.transfer_mail import send_transfer_mail
from prawko.hooks.payments import Money, Payer
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.purchase import MandateView, OfferedMethod, PaymentView, Purchase
from prawko.payments.service import Payments
from prawko.payments.settling import UNFINISHED
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.sessions import TenantSession

PAID_PAGE = "/panel/subscription/success?order={order_id}"
OPEN_PAGE = "/panel/subscription?order={order_id}"


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


class Desk:
    """Takes the orders of one person."""

    def __init__(self, tools: Tools, payments: Payments, who: Identity, origin: Origin) -> None:
        self._tools = tools
        self._payments = payments
        self._who = who
        self._origin = origin

    async def place(
        self, session: TenantSession, buying: Buying, way: OfferedMethod, blik_code: str | None
    ) -> Placed:
        """Write an order that its payer will pay on a page, in the caller's transaction."""
        order, superseded = await self._write(session, buying, way.method.value)
        purchase = Purchase(
            order_id=order.id,
            money=_money(order),
            method=way.method,
            title=self._title(buying),
            payer=await self._payer(session, buying.details),
            return_url=f"{self._tools.settings.base_url}{PAID_PAGE.format(order_id=order.id)}",
            blik_code=blik_code,
            save=way.renews,
        )
        payment_id = await self._payments.prepare(session, purchase)
        return Placed(
            order_id=order.id, payment_id=payment_id, superseded=superseded, purchase=purchase
        )

    async def place_charge(
        self, session: TenantSession, buying: Buying, mandate: MandateView
    ) -> Placed:
        """Write an order that a mandate will pay, in the caller's transaction."""
        order, superseded = await self._write(session, buying, mandate.method.value)
        payment_id = await self._payments.prepare_charge(
            session,
            order.id,
            _money(order),
            mandate.id,
            self._title(buying),
            await self._payer(session, buying.details),
        )
        return Placed(order_id=order.id, payment_id=payment_id, superseded=superseded)

    async def on_its_way(self, session: TenantSession, buying: Buying) -> Placed | None:
        """The same upgrade, where a saved card is being charged for it; None where none is.

        Whoever asks twice, or again after a time-out, is charged once. Raises
        PaymentUnavailableError while a charge for another limit is on its way: what that one
        brings must be known before the next is priced. One that waits for its payer may be
        left behind.
        """
        order = await OrderRepository(session).open_one()
        if order is None or order.kind != OrderKind.UPGRADE:
            return None
        payment = await self._payments.of_order(session, order.id)
        if payment is None or payment.mandate_id is None or payment.state not in UNFINISHED:
            return None
        priced_for = (order.driver_limit, order.from_limit, order.end_date)
        if priced_for == (buying.limit, buying.from_limit, buying.end):
            return Placed(order_id=order.id, payment_id=payment.id, superseded=())
        if payment.url is None:
            raise PaymentUnavailableError
        return None

    async def send(self, placed: Placed) -> str:
        """Ask the provider and say where the browser goes on.

        Raises PaymentRefusedError, PaymentUnavailableError.
        """
        tenant_id = self._who.tenant_id
        if placed.purchase is None:
            raise ValueError("a mandate pays this order")
        started = await self._payments.start(tenant_id, placed.payment_id, placed.purchase)
        await self._give_up(tenant_id, placed.superseded)
        if started.url is not None:
            return started.url
        if started.transfer is None:
            return PAID_PAGE.format(order_id=placed.order_id)
        await send_transfer_mail(self._tools, tenant_id, self._who.user_id, placed.order_id)
        return OPEN_PAGE.format(order_id=placed.order_id)

    async def charge(self, placed: Placed) -> PaymentView:
        """Charge the mandate. Raises PaymentUnavailableError."""
        charged = await self._payments.charge(self._who.tenant_id, placed.payment_id)
        await self._give_up(self._who.tenant_id, placed.superseded)
        return charged

    async def _write(
        self, session: TenantSession, buying: Buying, method: str
    ) -> tuple[SubscriptionOrder, Sequence[UUID]]:
        now, price, orders = self._tools.clock.now(), total(buying.lines), OrderRepository(session)
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
            created_by=self._who.user_id,
            created_at=now,
            **msgspec.structs.asdict(buying.details),
        )
        await orders.add(order)
        superseded = await orders.supersede(by=order.id)
        await note(session, Act.ORDER_PLACED, self._who, self._origin, now, order=order.id)
        return order, superseded

    async def _give_up(self, tenant_id: TenantId, orders: Sequence[UUID]) -> None:
        if orders:
            await self._payments.give_up(tenant_id, orders)

    async def _payer(self, session: TenantSession, details: Details) -> Payer:
        profile = await AccountRepository(session).profile(self._who.user_id)
        return Payer(
            email=profile.email,
            name=details.company_name,
            language=self._who.language,
            ip=self._origin.ip,
            agent=self._origin.agent,
        )

    def _title(self, buying: Buying) -> str:
        what = "upgrade" if buying.kind is OrderKind.UPGRADE else "period"
        return say(
            f"billing.order.{what}",
            self._who.language,
            brand=self._tools.settings.brand,
            limit=buying.limit,
        )


def _money(order: SubscriptionOrder) -> Money:
    return Money(order.net + order.vat)
