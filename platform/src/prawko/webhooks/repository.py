"""SQL of webhook events: stored once by the provider's id, claimed with a lease, completed."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.crypto import KeyRing
from prawko_tenants.ids import new_id

# Ordered by id, so that concurrent copies of one call lock the rows in the same order.
_INSERT = text("""
    INSERT INTO webhook_event (id, provider, event_id, body, received_at, next_try_at)
    SELECT r.id, :provider, r.event_id, r.body, :now, :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:event_ids AS text[]), CAST(:bodies AS bytea[]))
           AS r (id, event_id, body)
     ORDER BY r.event_id
    ON CONFLICT DO NOTHING
""")
# `next_try_at` is the end of the lease, `attempts` its fencing token. A CTE, because a subquery
# could be evaluated once for every row and claim them all.
_CLAIM = text("""
    WITH due AS (
        SELECT id FROM webhook_event
         WHERE processed_at IS NULL AND next_try_at <= :now AND provider = ANY (:providers)
         ORDER BY next_try_at, id LIMIT 1
           FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_event AS e
       SET next_try_at = :lease_until, attempts = attempts + 1
      FROM due WHERE e.id = due.id
    RETURNING e.id, e.provider, e.event_id, e.body, e.attempts, e.received_at
""")
_STILL_CLAIMED = "WHERE id = :id AND attempts = :attempts AND processed_at IS NULL"
_COMPLETE = text(f"""
    UPDATE webhook_event SET processed_at = :now, outcome = :outcome, body = NULL {_STILL_CLAIMED}
""")  # noqa: S608
_RELEASE = text(f"UPDATE webhook_event SET next_try_at = :until {_STILL_CLAIMED}")  # noqa: S608


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


class ClaimedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event leased to this process. `attempts` includes the current one."""

    id: UUID
    provider: str
    event_id: str
    body: bytes | None
    attempts: int
    received_at: datetime

    def decrypt_body(self, key_ring: KeyRing) -> bytes:
        """Return the decrypted body. Raises DecryptionError."""
        return key_ring.payload_cipher.decrypt(
            key_ring.payload_cipher.current_key_id, self.body or b"", associated_data=self.id.bytes
        )


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
        ids = [new_id() for _ in events]
        bodies = [
            key_ring.payload_cipher.encrypt(event.body, associated_data=id_.bytes)
            for id_, event in zip(ids, events, strict=True)
        ]
        result = await self._session.execute(
            _INSERT,
            {
                "provider": provider,
                "now": now,
                "ids": ids,
                "event_ids": [event.event_id for event in events],
                "bodies": bodies,
            },
        )
        return int(result.rowcount)  # type: ignore[attr-defined]

    async def claim(
        self, providers: Collection[str], now: datetime, lease: timedelta
    ) -> ClaimedEvent | None:
        """Lease the oldest due event of the providers; counts the attempt at once.

        `complete` or `release` ends the lease.
        """
        params = {"providers": [*providers], "now": now, "lease_until": now + lease}
        row = (await self._session.execute(_CLAIM, params)).mappings().one_or_none()
        return msgspec.convert(dict(row), ClaimedEvent) if row is not None else None

    async def complete(self, event: ClaimedEvent, outcome: WebhookOutcome, now: datetime) -> bool:
        """Record the outcome and clear the body; False when the lease was lost."""
        return await self._end_claim(_COMPLETE, event, outcome=outcome.value, now=now)

    async def release(self, event: ClaimedEvent, until: datetime) -> bool:
        """Schedule the next attempt; False when the lease was lost."""
        return await self._end_claim(_RELEASE, event, until=until)

    async def _end_claim(
        self, statement: TextClause, event: ClaimedEvent, **values: object
    ) -> bool:
        result = await self._session.execute(
            statement, {"id": event.id, "attempts": event.attempts, **values}
        )
        return bool(result.rowcount)  # type: ignore[attr-defined]
