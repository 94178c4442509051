"""The sessions of a person's browsers: listing and revoking them. Contains their SQL.

Sessions of operators who impersonate the person are not listed; revoking all others revokes
them too.
"""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.authentication import SESSION_IDLE_TIMEOUT
from prawko_tenants.ids import UserId

_SELECT_ACTIVE = text("""
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
     WHERE user_id = :user_id AND id IS DISTINCT FROM CAST(:kept_id AS uuid)
       AND revoked_at IS NULL AND expires_at > :now
    RETURNING id
""")
_SELECT_RECENT_IPS = text("""
    SELECT DISTINCT ip FROM login_session
     WHERE user_id = :user_id AND created_at > :since AND ip IS NOT NULL
       AND impersonator_id IS NULL
""")


class ActiveSession(msgspec.Struct, frozen=True):
    """A session of a signed-in browser. Times are the machine's."""

    id: UUID
    created_at: datetime
    last_seen_at: datetime
    ip: str
    agent: str


class LoginSessionRepository:
    """Reads and revokes one person's sessions in the caller's transaction."""

    def __init__(self, session: AsyncSession, user_id: UserId) -> None:
        self._session = session
        self._user_id = user_id

    async def list_active(self, machine_now: datetime) -> list[ActiveSession]:
        """Return up to 200 active sessions, the last seen first."""
        rows = await self._session.execute(
            _SELECT_ACTIVE,
            {
                "user_id": self._user_id,
                "now": machine_now,
                "idle": machine_now - SESSION_IDLE_TIMEOUT,
            },
        )
        return [msgspec.convert(dict(row), ActiveSession) for row in rows.mappings()]

    async def revoke(self, session_id: UUID, machine_now: datetime) -> bool:
        """Revoke one session; False when the person has none with that id."""
        revoked = await self._session.scalar(
            _REVOKE_ONE, {"id": session_id, "user_id": self._user_id, "now": machine_now}
        )
        return revoked is not None

    async def revoke_others(self, kept_id: UUID | None, machine_now: datetime) -> int:
        """Revoke all sessions but one, or all when `kept_id` is None; return their number."""
        revoked = await self._session.scalars(
            _REVOKE_OTHERS, {"kept_id": kept_id, "user_id": self._user_id, "now": machine_now}
        )
        return len(revoked.all())

    async def recent_ips(self, since: datetime) -> set[str]:
        """Return the IP addresses that the person has signed in from since then."""
        addresses = await self._session.scalars(
            _SELECT_RECENT_IPS, {"user_id": self._user_id, "since": since}
        )
        return set(addresses)
