"""The inbox: what providers tell us of their own accord, kept before it is worked on.

SQL of one table. The provider's own event id makes an event count once, however often and in
whatever order it comes.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import TextClause, text
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
    SELECT id, provider, event_id, body, attempts, received_at FROM webhook_event
     WHERE worked_at IS NULL AND next_try_at <= :now AND provider = ANY (:providers)
     ORDER BY next_try_at, id LIMIT 1
       FOR UPDATE SKIP LOCKED
""")
# Taken with a lease: not due again before it ends. The attempts tell whose it is by then. As a
# subquery of the join, the choice could be made once for every row, and take them all.
_CLAIM = text("""
    WITH due AS (
        SELECT id FROM webhook_event
         WHERE worked_at IS NULL AND next_try_at <= :now AND provider = ANY (:providers)
         ORDER BY next_try_at, id LIMIT 1
           FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_event AS e
       SET next_try_at = :lease_until, attempts = attempts + 1
      FROM due WHERE e.id = due.id
    RETURNING e.id, e.provider, e.event_id, e.body, e.attempts, e.received_at
""")
_MINE = "WHERE id = :id AND attempts = :attempts AND worked_at IS NULL"
_FINISH = text(f"""
    UPDATE webhook_event SET worked_at = :now, outcome = :outcome, body = NULL {_MINE}
""")  # noqa: S608
_PUT_BACK = text(f"UPDATE webhook_event SET next_try_at = :until {_MINE}")  # noqa: S608
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
    """An event that is ours until the transaction ends, or its lease."""

    id: UUID
    provider: str
    event_id: str
    body: bytes | None
    attempts: int
    received_at: datetime

    def opened(self, vault: Vault) -> bytes:
        """What it says. Raises LostKeyError."""
        return vault.payloads.open(vault.payloads.current, self.body or b"", about=self.id.bytes)


class Inbox:
    """Keeps and hands out events in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def keep(
        self, provider: str, events: Sequence[Arrived], vault: Vault, now: datetime
    ) -> int:
        """Keep what is new, sealed, and count it.

        The caller may answer the provider when it is committed.
        """
        if not events:
            return 0
        ids = [new_id() for _ in events]
        sealed = [
            vault.payloads.close(event.body, about=id_.bytes)
            for id_, event in zip(ids, events, strict=True)
        ]
        about = {"ids": ids, "event_ids": [event.event_id for event in events], "bodies": sealed}
        kept = await self._session.execute(_KEEP, {"provider": provider, "now": now, **about})
        return int(kept.rowcount)  # type: ignore[attr-defined]

    async def next(self, providers: Collection[str], now: datetime) -> Waiting | None:
        """The oldest event of these providers that nobody is working on."""
        rows = await self._session.execute(_NEXT, {"providers": [*providers], "now": now})
        found = rows.mappings().one_or_none()
        return msgspec.convert(dict(found), Waiting) if found is not None else None

    async def claim(
        self, providers: Collection[str], now: datetime, lease: timedelta
    ) -> Waiting | None:
        """The oldest event of these providers, ours until the lease ends: for who must wait.

        It counts an attempt at once. `finish` and `put_back` end it.
        """
        where = {"providers": [*providers], "now": now, "lease_until": now + lease}
        found = (await self._session.execute(_CLAIM, where)).mappings().one_or_none()
        return msgspec.convert(dict(found), Waiting) if found is not None else None

    async def finish(self, event: Waiting, outcome: Outcome, now: datetime) -> bool:
        """Note what came of a claimed event; False when somebody else has it by now."""
        return await self._end(_FINISH, event, outcome=outcome.value, now=now)

    async def put_back(self, event: Waiting, until: datetime) -> bool:
        """Try a claimed event again later; False when somebody else has it by now."""
        return await self._end(_PUT_BACK, event, until=until)

    async def done(self, event: Waiting, outcome: Outcome, now: datetime) -> None:
        """Note what came of it, and forget what it said."""
        await self._session.execute(_DONE, {"id": event.id, "outcome": outcome.value, "now": now})

    async def put_off(self, event: Waiting, until: datetime) -> None:
        """Working on it broke: try again later."""
        await self._session.execute(_PUT_OFF, {"id": event.id, "until": until})

    async def _end(self, statement: TextClause, event: Waiting, **values: object) -> bool:
        about = {"id": event.id, "attempts": event.attempts}
        ended = await self._session.execute(statement, {**about, **values})
        return bool(ended.rowcount)  # type: ignore[attr-defined]
