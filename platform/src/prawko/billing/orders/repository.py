"""Statements about orders."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from sqlalchemy import select, update

from prawko.billing.models import OrderKind, OrderState, SubscriptionOrder
from prawko.billing.pricing.price import OrderLine
from prawko_tenants.sessions import BatchSession, TenantSession

_UNPAID_STATES = (OrderState.OPEN, OrderState.FAILED, OrderState.EXPIRED)
_PERIOD_KINDS = (OrderKind.PERIOD, OrderKind.RENEWAL)


class OrderRepository:
    """One company's orders. Writers lock the company first."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def add(self, order: SubscriptionOrder) -> None:
        """Insert an order."""
        self._session.add(order)
        await self._session.flush()

    async def get(self, order_id: UUID) -> SubscriptionOrder | None:
        """An order; None if the company has none with this id."""
        one = select(SubscriptionOrder).where(SubscriptionOrder.id == order_id)
        return await self._session.scalar(one)

    async def get_pending(self) -> SubscriptionOrder | None:
        """The newest open order that was not superseded."""
        newest = (
            select(SubscriptionOrder)
            .where(
                SubscriptionOrder.state == OrderState.OPEN,
                SubscriptionOrder.superseded_by.is_(None),
            )
            .order_by(SubscriptionOrder.id.desc())
            .limit(1)
        )
        return await self._session.scalar(newest)

    async def was_replaced_by_paid(self, order: SubscriptionOrder) -> bool:
        """Whether the order that superseded this one was paid for a period."""
        if order.superseded_by is None:
            return False
        other = await self.get(order.superseded_by)
        return other is not None and other.state == OrderState.PAID and other.kind in _PERIOD_KINDS

    async def supersede(self, by: UUID) -> Sequence[UUID]:
        """Supersede all other open orders by this one; their ids."""
        statement = (
            update(SubscriptionOrder)
            .where(
                SubscriptionOrder.state == OrderState.OPEN,
                SubscriptionOrder.superseded_by.is_(None),
                SubscriptionOrder.id != by,
            )
            .values(superseded_by=by)
            .returning(SubscriptionOrder.id)
        )
        return (await self._session.scalars(statement)).all()

    async def supersede_unpaid(self, paid: SubscriptionOrder) -> None:
        """Supersede every other unpaid period ordered up to now by the paid order.

        Later orders are further periods: the order of the transactions decides, not the clock.
        """
        statement = (
            update(SubscriptionOrder)
            .where(
                SubscriptionOrder.kind.in_(_PERIOD_KINDS),
                SubscriptionOrder.state.in_(_UNPAID_STATES),
                SubscriptionOrder.id != paid.id,
            )
            .values(superseded_by=paid.id)
        )
        await self._session.execute(statement)


def parse_order_lines(order: SubscriptionOrder) -> tuple[OrderLine, ...]:
    """The lines of an order."""
    return msgspec.convert(order.lines, tuple[OrderLine, ...])
