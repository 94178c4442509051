"""Rows of what companies order."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from sqlalchemy import select, update

from prawko.billing.models import SubscriptionOrder
from prawko.billing.ordering import Line
from prawko.billing.orders import OrderKind, OrderState
from prawko_tenants.sessions import BatchSession, TenantSession

_UNPAID = (OrderState.OPEN, OrderState.FAILED, OrderState.EXPIRED)
_PERIODS = (OrderKind.PERIOD, OrderKind.RENEWAL)


class OrderRepository:
    """One company's orders. Whoever writes one holds the company."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def add(self, order: SubscriptionOrder) -> None:
        """Write a new order."""
        self._session.add(order)
        await self._session.flush()

    async def get(self, order_id: UUID) -> SubscriptionOrder | None:
        """An order; None where the company has none of this id."""
        one = select(SubscriptionOrder).where(SubscriptionOrder.id == order_id)
        return await self._session.scalar(one)

    async def open_one(self) -> SubscriptionOrder | None:
        """The newest order that waits for its payment, and whose place no other took."""
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

    async def bought_instead(self, order: SubscriptionOrder) -> bool:
        """Whether the order that took this one's place was paid, and brought a period as well."""
        if order.superseded_by is None:
            return False
        other = await self.get(order.superseded_by)
        return other is not None and other.state == OrderState.PAID and other.kind in _PERIODS

    async def supersede(self, by: UUID) -> Sequence[UUID]:
        """Let a newer order take the place of all that wait for payment; return their ids."""
        waiting = (
            update(SubscriptionOrder)
            .where(
                SubscriptionOrder.state == OrderState.OPEN,
                SubscriptionOrder.superseded_by.is_(None),
                SubscriptionOrder.id != by,
            )
            .values(superseded_by=by)
            .returning(SubscriptionOrder.id)
        )
        return (await self._session.scalars(waiting)).all()

    async def replace_unpaid(self, paid: SubscriptionOrder) -> None:
        """Note what was paid instead of every other period that was ordered up to now.

        By the order of writing, not by the clock: what is ordered after this is another period.
        """
        others = (
            update(SubscriptionOrder)
            .where(
                SubscriptionOrder.kind.in_(_PERIODS),
                SubscriptionOrder.state.in_(_UNPAID),
                SubscriptionOrder.id != paid.id,
            )
            .values(superseded_by=paid.id)
        )
        await self._session.execute(others)

    async def open_renewals(self) -> Sequence[UUID]:
        """Renewals that wait for their charge."""
        waiting = select(SubscriptionOrder.id).where(
            SubscriptionOrder.kind == OrderKind.RENEWAL, SubscriptionOrder.state == OrderState.OPEN
        )
        return (await self._session.scalars(waiting)).all()


def lines_of(order: SubscriptionOrder) -> tuple[Line, ...]:
    """The lines of an order, as they were reckoned."""
    return msgspec.convert(order.lines, tuple[Line, ...])
