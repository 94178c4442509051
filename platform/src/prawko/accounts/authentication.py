"""Tokens of login sessions, and the identity of a request, read with one statement."""

import hashlib
import secrets
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import LoginSession
from prawko.base.errors import AuthRequiredError
from prawko.base.i18n import Language
from prawko_tenants.engine import Database
from prawko_tenants.ids import SessionId, TenantId, UserId

TOKEN_BYTES = 32
SESSION_LIFETIME = timedelta(days=14)
SESSION_IDLE_TIMEOUT = timedelta(days=3)  # longer than a weekend, shorter than a leave
TOUCH_INTERVAL = timedelta(hours=1)

_SELECT_IDENTITY = """
    SELECT s.id, s.user_id, s.tenant_id, s.last_seen_at, s.impersonator_id,
           u.email_verified, u.is_admin, u.language
      FROM login_session s JOIN user_account u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2
       AND s.last_seen_at > $3
"""


class Identity(msgspec.Struct, frozen=True):
    """The person, company and session of a request."""

    session_id: SessionId
    user_id: UserId
    tenant_id: TenantId
    email_verified: bool
    is_admin: bool
    language: Language
    impersonator_id: UserId | None


async def ensure_session_active(session: AsyncSession, identity: Identity) -> None:
    """Lock the session's row, so that no write is committed after the session was revoked.

    Raises AuthRequiredError, which rolls the write back, when it was revoked meanwhile.
    """
    active = (
        select(LoginSession.id)
        .where(LoginSession.id == identity.session_id, LoginSession.revoked_at.is_(None))
        .with_for_update(read=True)
    )
    if await session.scalar(active) is None:
        raise AuthRequiredError


def new_session_token() -> str:
    """Return a fresh session token; only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> bytes:
    """Return the hash to store. Plain SHA-256: the token itself has 256 random bits."""
    return hashlib.sha256(token.encode()).digest()


async def authenticate_token(
    database: Database, token: str, machine_now: datetime
) -> Identity | None:
    """Return the identity of a token; None when it is unknown, expired, idle or revoked.

    `last_seen_at` is updated at most once an hour.
    """
    row = await database.fetch_global(
        _SELECT_IDENTITY, hash_token(token), machine_now, machine_now - SESSION_IDLE_TIMEOUT
    )
    if row is None:
        return None
    if machine_now - row["last_seen_at"] > TOUCH_INTERVAL:
        async with database.system() as session:
            await session.execute(
                update(LoginSession)
                .where(LoginSession.id == row["id"])
                .values(last_seen_at=machine_now)
            )
    return Identity(
        session_id=SessionId(row["id"]),
        user_id=UserId(row["user_id"]),
        tenant_id=TenantId(row["tenant_id"]),
        email_verified=row["email_verified"],
        is_admin=row["is_admin"],
        language=Language(row["language"]),
        impersonator_id=row["impersonator_id"],
    )
