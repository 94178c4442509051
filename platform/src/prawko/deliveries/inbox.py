"""The inbox: what providers tell us of their own accord, kept before it is worked on.

SQL of one table. The provider's own event id makes an event count once, however often and in
whatever order it comes.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.secrets import Vault
from prawko_tenants.ids import new_id

# In the order of their ids, so that two copies of one call wait for each other in the same row.
_KEEP = text("""
    INSERT INTO webhook_event (id, provider, event_id, body, received_at, next_try_at)
    SELECT r.id, :provider, r.event_id, r.body, :now, :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:event_ids AS text[]), CAST(:bodies AS bytea[]))
           AS r (id, event_id, body)
     ORDER BY r.event_id
    ON CONFLICT DO NOTHING
""")
_NEXT = text("""
    SELECT id, provider, body, attempts FROM webhook_event
     WHERE worked_at IS NULL AND next_try_at <= :now AND provider = ANY (:providers)
     ORDER BY next_try_at, id LIMIT 1
       FOR UPDATE SKIP LOCKED
""")
_DONE = text("""
    UPDATE webhook_event SET worked_at = :now, outcome = :outcome, body = NULL WHERE id = :id
""")
_PUT_OFF = text("""
    UPDATE webhook_event SET attempts = attempts + 1, next_try_at = :until
     WHERE id = :id AND worked_at IS NULL
""")


class Outcome(StrEnum):
    """What came of an event, as stored."""

    APPLIED = "applied"
    REPEATED = "repeated"  # it said nothing that we did not know
    UNKNOWN = "unknown"  # it is about nothing of ours
    UNREADABLE = "unreadable"  # the key it was sealed with is gone
    GIVEN_UP = "given_up"  # working on it broke each time


class Arrived(msgspec.Struct, frozen=True):
    """An event as it is to be kept."""

    event_id: str
    body: bytes


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """An event that is ours until the transaction ends."""

    id: UUID
    provider: str
    body: bytes | None
    attempts: int

    def opened(self, vault: Vault) -> bytes:
        """What it says. Raises LostKeyError."""
        return vault.payloads.open(vault.payloads.current, self.body or b"", about=self.id.bytes)


class Inbox:
    """Keeps and hands out events in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def keep(
        self, provider: str, events: Sequence[Arrived], vault: Vault, now: datetime
    ) -> None:
        """Keep what is new, sealed; the caller may answer the provider when it is committed."""
        if not events:
            return
        ids = [new_id() for _ in events]
        sealed = [
            vault.payloads.close(event.body, about=id_.bytes)
            for id_, event in zip(ids, events, strict=True)
        ]
        about = {"ids": ids, "event_ids": [event.event_id for event in events], "bodies": sealed}
        await self._session.execute(_KEEP, {"provider": provider, "now": now, **about})

    async def next(self, providers: Collection[str], now: datetime) -> Waiting | None:
        """The oldest event of these providers that nobody is working on."""
        rows = await self._session.execute(_NEXT, {"providers": [*providers], "now": now})
        found = rows.mappings().one_or_none()
        return msgspec.convert(dict(found), Waiting) if found is not None else None

    async def done(self, event: Waiting, outcome: Outcome, now: datetime) -> None:
        """Note what came of it, and forget what it said."""
        await self._session.execute(_DONE, {"id": event.id, "outcome": outcome.value, "now": now})

    async def put_off(self, event: Waiting, until: datetime) -> None:
        """Working on it broke: try again later."""
        await self._session.execute(_PUT_OFF, {"id": event.id, "until": until})
