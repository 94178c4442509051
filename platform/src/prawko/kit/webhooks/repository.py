"""Webhook events: stored once by the provider's id, claimed with a lease, completed."""

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum

import msgspec
from sqlalchemy import Update, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.crypto import KeyRing
from prawko.kit.database import count_changes, insert_rows, to_arrays
from prawko.kit.webhooks.models import WebhookEvent
from prawko.kit.work.lease import claim_rows, is_due, update_claimed
from prawko.kit.work.leased_work import LEASE, LONGEST_LEASE
from prawko_tenants.ids import new_id


class WebhookOutcome(StrEnum):
    """Result of processing an event, as stored."""

    APPLIED = "applied"
    DUPLICATE = "duplicate"  # nothing new
    UNKNOWN = "unknown"  # about no message or payment of ours
    UNDECRYPTABLE = "undecryptable"  # the key of its body is missing
    GIVEN_UP = "given_up"  # every attempt failed


class NewEvent(msgspec.Struct, frozen=True):
    """An event to store."""

    event_id: str
    body: bytes


_INSERT = insert_rows(
    WebhookEvent, "id", "provider", "event_id", "body", "received_at", "next_try_at"
).on_conflict_do_nothing()


class WebhookEventRepository:
    """Stores and claims events in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def insert(
        self, provider: str, events: Sequence[NewEvent], key_ring: KeyRing, now: datetime
    ) -> int:
        """Store new events, encrypted; returns how many were new.

        The caller acknowledges the call to the provider after its commit.
        """
        if not events:
            return 0
        # In order, so that concurrent copies of one call lock the rows in the same order.
        rows = [
            {
                "id": (event_id := new_id()),
                "provider": provider,
                "event_id": event.event_id,
                "body": key_ring.payload_cipher.encrypt(event.body, associated_data=event_id.bytes),
                "received_at": now,
                "next_try_at": now,
            }
            for event in sorted(events, key=lambda event: event.event_id)
        ]
        return await count_changes(self._session, _INSERT, to_arrays(rows))

    async def claim(self, providers: Collection[str], now: datetime) -> Sequence[WebhookEvent]:
        """Claim the oldest due event of the providers, or none, for `run_work` to renew.

        `complete` or `release` ends the lease.
        """
        statement = claim_rows(
            WebhookEvent,
            WebhookEvent.processed_at.is_(None),
            is_due(WebhookEvent.next_try_at, now),
            WebhookEvent.provider.in_(providers),
            order_by=WebhookEvent.next_try_at,
            limit=1,
            now=now,
            lease=LEASE,
            longest=LONGEST_LEASE,
        )
        return (await self._session.scalars(statement)).all()

    async def complete(self, event: WebhookEvent, outcome: WebhookOutcome, now: datetime) -> bool:
        """Record the outcome and clear the body; False when the lease was lost."""
        values = {"processed_at": now, "outcome": outcome.value, "body": None}
        return await self._end_claim(update_claimed(event).values(values))

    async def release(self, event: WebhookEvent, next_try_at: datetime) -> bool:
        """Schedule the next attempt; False when the lease was lost."""
        return await self._end_claim(update_claimed(event).values(next_try_at=next_try_at))

    async def count_stuck(self, providers: Collection[str], min_attempts: int) -> dict[str, int]:
        """Return the number of events that were processed this often in vain, by provider."""
        rows = await self._session.execute(
            select(WebhookEvent.provider, func.count().label("stuck_count"))
            .where(
                WebhookEvent.processed_at.is_(None),
                WebhookEvent.attempts >= min_attempts,
                WebhookEvent.provider.in_(providers),
            )
            .group_by(WebhookEvent.provider)
        )
        return {row.provider: row.stuck_count for row in rows}

    async def delete_received_before(self, before: datetime, limit: int) -> int:
        """Delete old events, unprocessed ones too; returns how many.

        Their plugin may no longer be installed, and no provider repeats an event for so long.
        """
        old = select(WebhookEvent.id).where(WebhookEvent.received_at < before).limit(limit)
        return await count_changes(
            self._session, delete(WebhookEvent).where(WebhookEvent.id.in_(old))
        )

    async def _end_claim(self, statement: Update) -> bool:
        is_unprocessed = WebhookEvent.processed_at.is_(None)
        return bool(await count_changes(self._session, statement.where(is_unprocessed)))
