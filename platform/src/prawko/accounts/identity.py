"""Who is calling: one look-up from the cookie to the person and the company."""

import hashlib
import secrets
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.errors import AuthRequiredError
from prawko.base.texts import Language
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, UserId

TOKEN_BYTES = 32
SESSION_LIFE = timedelta(days=14)
SESSION_IDLE = timedelta(days=3)  # over a weekend people stay signed in, over a leave they do not
SEEN_EVERY = timedelta(hours=1)

_LOOK_UP = """
    SELECT s.id, s.user_id, s.tenant_id, s.last_seen_at, s.impersonator_id,
           u.email_verified, u.is_admin, u.language
      FROM login_session s JOIN user_account u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2
       AND s.last_seen_at > $3
"""

_STILL_SIGNED_IN = text(
    "SELECT 1 FROM login_session WHERE id = :id AND revoked_at IS NULL FOR SHARE"
)


class Identity(msgspec.Struct, frozen=True):
    """The person, the company and the session behind a request."""

    session_id: UUID
    user_id: UserId
    tenant_id: TenantId
    email_verified: bool
    is_admin: bool
    language: Language
    last_seen_at: datetime
    impersonator_id: UserId | None

    def seen_long_ago(self, machine_now: datetime) -> bool:
        """Whether the session's last sign of life should be noted again."""
        return machine_now - self.last_seen_at > SEEN_EVERY


async def refuse_revoked(session: AsyncSession, identity: Identity) -> None:
    """Hold the session's row: a write does not outlive its session.

    Raises AuthRequiredError, which undoes the write, when it was revoked meanwhile.
    """
    if await session.scalar(_STILL_SIGNED_IN, {"id": identity.session_id}) is None:
        raise AuthRequiredError


def new_token() -> str:
    """A fresh session token; only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """What is stored of a token. Plain SHA-256: the token carries 256 random bits itself."""
    return hashlib.sha256(token.encode()).digest()


async def identify(database: Database, token: str, machine_now: datetime) -> Identity | None:
    """The identity behind a token, in one statement; None for a dead, idle or unknown one."""
    row = await database.fetch_global(
        _LOOK_UP, token_hash(token), machine_now, machine_now - SESSION_IDLE
    )
    if row is None:
        return None
    return Identity(
        session_id=row["id"],
        user_id=UserId(row["user_id"]),
        tenant_id=TenantId(row["tenant_id"]),
        email_verified=row["email_verified"],
        is_admin=row["is_admin"],
        language=Language(row["language"]),
        last_seen_at=row["last_seen_at"],
        impersonator_id=row["impersonator_id"],
    )
