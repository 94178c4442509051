"""Enqueues messages in the transaction of the change that causes them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.clock import utc_now
from prawko.outbox.messages import OutboxMessage
from prawko.outbox.repository import DeliveryRepository


async def enqueue_messages(
    session: AsyncSession, messages: Sequence[OutboxMessage], *, now: datetime | None = None
) -> int:
    """Insert the messages in one statement; returns how many were new.

    The caller enqueues `deliver_pending` after its commit. `now` is for a caller whose system
    clock is wrong.
    """
    if not messages:
        return 0
    return await DeliveryRepository(session).insert(messages, now or utc_now())
