"""Enqueues messages in the transaction of the change that causes them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from prawko.kit.clock import utc_now
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.repository import DeliveryRepository
from prawko_tenants.sessions import TenantAwareSession


async def enqueue_messages(
    session: TenantAwareSession,
    messages: Sequence[OutboxMessage],
    *,
    now: datetime | None = None,
) -> None:
    """Insert the messages in one statement; they are sent at once after the commit.

    `now` is for a caller whose system clock is wrong.
    """
    if messages and await DeliveryRepository(session).insert(messages, now or utc_now()):
        session.wake_sender_on_commit()


async def resend_message(session: TenantAwareSession, delivery_id: UUID) -> bool:
    """Send a message again that was sent or failed; False if there is none."""
    if not await DeliveryRepository(session).restart(delivery_id, utc_now()):
        return False
    session.wake_sender_on_commit()
    return True
