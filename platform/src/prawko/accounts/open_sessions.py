"""A person's signed-in browsers: listing and ending them. Their SQL stands here.

Operators who work in somebody's name have sessions of their own; the list leaves them out, and
ending all others ends them too.
"""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.identity import SESSION_IDLE
from prawko_tenants.ids import UserId

_LIST = text("""
    SELECT id, created_at, last_seen_at, coalesce(ip, '') AS ip, coalesce(agent, '') AS agent
      FROM login_session
     WHERE user_id = :user_id AND revoked_at IS NULL AND expires_at > :now
       AND last_seen_at > :idle AND impersonator_id IS NULL
     ORDER BY last_seen_at DESC, created_at DESC, id
     LIMIT 200
""")
_REVOKE_ONE = text("""
    UPDATE login_session SET revoked_at = :now
     WHERE id = :id AND user_id = :user_id AND revoked_at IS NULL AND expires_at > :now
       AND impersonator_id IS NULL
    RETURNING id
""")
_REVOKE_OTHERS = text("""
    UPDATE login_session SET revoked_at = :now
     WHERE user_id = :user_id AND id <> :id AND revoked_at IS NULL AND expires_at > :now
    RETURNING id
""")
_ADDRESSES = text("""
    SELECT DISTINCT ip FROM login_session
     WHERE user_id = :user_id AND created_at > :since AND ip IS NOT NULL
       AND impersonator_id IS NULL
""")


class OpenSession(msgspec.Struct, frozen=True):
    """One signed-in browser. Times are the machine's."""

    id: UUID
    created_at: datetime
    last_seen_at: datetime
    ip: str
    agent: str


class OpenSessions:
    """The sessions of one person."""

    def __init__(self, session: AsyncSession, user_id: UserId) -> None:
        self._session = session
        self._user_id = user_id

    async def all(self, machine_now: datetime) -> list[OpenSession]:
        """Those that count, the last seen first."""
        rows = await self._session.execute(
            _LIST,
            {
                "user_id": self._user_id,
                "now": machine_now,
                "idle": machine_now - SESSION_IDLE,
            },
        )
        return [msgspec.convert(dict(row), OpenSession) for row in rows.mappings()]

    async def revoke(self, session_id: UUID, machine_now: datetime) -> bool:
        """End one; False where the person has none of that id."""
        ended = await self._session.scalar(
            _REVOKE_ONE, {"id": session_id, "user_id": self._user_id, "now": machine_now}
        )
        return ended is not None

    async def revoke_others(self, kept: UUID, machine_now: datetime) -> int:
        """End all but one; how many there were."""
        ended = await self._session.scalars(
            _REVOKE_OTHERS, {"id": kept, "user_id": self._user_id, "now": machine_now}
        )
        return len(ended.all())

    async def addresses(self, since: datetime) -> set[str]:
        """The addresses that the person has signed in from since then."""
        found = await self._session.scalars(_ADDRESSES, {"user_id": self._user_id, "since": since})
        return set(found)
