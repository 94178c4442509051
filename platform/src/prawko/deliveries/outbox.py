"""Putting messages into the outbox, in the transaction of what they tell."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.clock import machine_now
from prawko.deliveries.orders import Order
from prawko.deliveries.repository import DeliveryRepository


async def enqueue(session: AsyncSession, orders: Sequence[Order]) -> int:
    """Write the orders in one statement; returns how many were new.

    The caller rings `deliver_pending` once its transaction stands.
    """
    if not orders:
        return 0
    return await DeliveryRepository(session).add(orders, machine_now())


__all__ = ["Order", "enqueue"]
