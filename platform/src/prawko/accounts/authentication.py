"""Tokens of login sessions, and the identity of a request, read with one statement."""

import hashlib
import secrets
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import LoginSession, Membership
from prawko.accounts.roles import Role
from prawko.kit.clock import MAX_CLOCK_SKEW, utc_now
from prawko.kit.errors import AuthForbiddenError, AuthRequiredError
from prawko.kit.text.i18n import Language
from prawko_tenants.engine import Database
from prawko_tenants.ids import SessionId, TenantId, UserId

TOKEN_BYTES = 32


class SessionLimits(msgspec.Struct, frozen=True):
    """How long a session lasts, and how long without a request.

    `touch_interval` is how often at most a request is recorded; well below the idle time.
    """

    lifetime: timedelta
    idle_timeout: timedelta
    touch_interval: timedelta


# Idle: longer than a weekend, shorter than a leave.
CUSTOMER_LIMITS = SessionLimits(timedelta(days=14), timedelta(days=3), timedelta(hours=1))
# Of operators' own sessions and of their impersonations.
OPERATOR_LIMITS = SessionLimits(timedelta(hours=12), timedelta(minutes=30), timedelta(minutes=1))
SESSION_LIFETIME = CUSTOMER_LIMITS.lifetime
SIGNED_IN_AT = func.coalesce(LoginSession.signed_in_at, LoginSession.created_at)

_SELECT_IDENTITY = """
    SELECT s.id, s.user_id, s.tenant_id, s.last_seen_at, s.impersonator_id, s.second_factor_at,
           u.email, u.email_verified, u.is_admin, u.language, m.role
      FROM login_session s JOIN user_account u ON u.id = s.user_id
      JOIN membership m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id
     WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND NOT s.second_factor_pending
       AND s.expires_at > $2 AND s.last_seen_at > $3
       AND COALESCE(s.signed_in_at, s.created_at) <= $6
       AND (NOT u.is_admin AND s.impersonator_id IS NULL
            OR COALESCE(s.signed_in_at, s.created_at) > $4 AND s.last_seen_at > $5)
       AND (s.impersonator_id IS NULL
            OR EXISTS (SELECT FROM user_account o WHERE o.id = s.impersonator_id AND o.is_admin))
"""


class Actor(msgspec.Struct, frozen=True, kw_only=True):
    """A person who acts. `tenant_id` is None where no company is known.

    `impersonator_id` is the operator who acts in the person's name.
    """

    user_id: UserId
    tenant_id: TenantId | None
    impersonator_id: UserId | None = None


class Identity(Actor, frozen=True, kw_only=True):
    """The actor of a request, with the session that proves it.

    `second_factor_at` is when this session's sign-in was confirmed by a second factor;
    `needs_second_factor` marks an operator who has to set one up first. `token` is the cookie's,
    which proves to the database who asks; it is never printed.
    """

    session_id: SessionId
    tenant_id: TenantId
    role: Role
    email: str
    email_verified: bool
    is_admin: bool
    language: Language
    second_factor_at: datetime | None = None
    needs_second_factor: bool = False
    token: str = ""

    def __repr__(self) -> str:
        return f"Identity(session_id={self.session_id}, user_id={self.user_id})"


async def ensure_session_active(session: AsyncSession, identity: Identity) -> None:
    """Lock the session's row, so that no write is committed after the session was revoked.

    Likewise the membership's, whose role the guard has read. Raises AuthRequiredError, which rolls
    the write back, when the session was revoked or expired meanwhile, and AuthForbiddenError when
    the role was changed.
    """
    system_now = utc_now()
    active = (
        select(Membership.role)
        .join(
            LoginSession,
            (LoginSession.tenant_id == Membership.tenant_id)
            & (LoginSession.user_id == Membership.user_id),
        )
        .where(
            LoginSession.id == identity.session_id,
            LoginSession.revoked_at.is_(None),
            LoginSession.expires_at > system_now,
        )
        # The console's login may not lock a membership: an operator needs no role.
        .with_for_update(read=True, of=LoginSession if identity.is_admin else None)
    )
    if identity.is_admin or identity.impersonator_id is not None:
        active = active.where(system_now - OPERATOR_LIMITS.lifetime < SIGNED_IN_AT)
    role = await session.scalar(active)
    if role is None:
        raise AuthRequiredError
    if role != identity.role:
        raise AuthForbiddenError


def new_session_token() -> str:
    """Return a fresh session token; only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> bytes:
    """Return the hash to store. Plain SHA-256: the token itself has 256 random bits."""
    return hashlib.sha256(token.encode()).digest()


async def authenticate_token(
    database: Database,
    token: str,
    system_now: datetime,
    *,
    operators_need_second_factor: bool = True,
) -> Identity | None:
    """Return the identity of a token; None when it is unknown, expired, idle or revoked.

    A session that waits for its second factor has no user yet. A session that begins in the future
    was opened by a wrong clock, so its limits would be wrong. One in which an operator impersonates
    a person ends with the operator's right.
    """
    row = await database.fetch_global(
        _SELECT_IDENTITY,
        hash_token(token),
        system_now,
        system_now - CUSTOMER_LIMITS.idle_timeout,
        system_now - OPERATOR_LIMITS.lifetime,
        system_now - OPERATOR_LIMITS.idle_timeout,
        system_now + MAX_CLOCK_SKEW,
    )
    if row is None:
        return None
    is_operators = row["is_admin"] or row["impersonator_id"] is not None
    limits = OPERATOR_LIMITS if is_operators else CUSTOMER_LIMITS
    if abs(system_now - row["last_seen_at"]) > limits.touch_interval:  # a wrong clock's, too
        async with database.system() as session:
            await session.execute(select(func.touch_session(token)))
    return Identity(
        session_id=SessionId(row["id"]),
        user_id=UserId(row["user_id"]),
        tenant_id=TenantId(row["tenant_id"]),
        role=Role(row["role"]),
        email=row["email"],
        email_verified=row["email_verified"],
        is_admin=row["is_admin"],
        language=Language(row["language"]),
        impersonator_id=row["impersonator_id"],
        second_factor_at=row["second_factor_at"],
        needs_second_factor=(
            operators_need_second_factor and row["is_admin"] and row["second_factor_at"] is None
        ),
        token=token,
    )
