"""The repository of the sessions of people's browsers. Their times are the machine's."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, insert, or_, select, update

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import (
    CUSTOMER_LIMITS,
    OPERATOR_LIMITS,
    SESSION_LIFETIME,
    SIGNED_IN_AT,
)
from prawko.accounts.models import LoginSession, UserAccount
from prawko.base.repository import Repository
from prawko_tenants.ids import SessionId, TenantId, UserId

MAX_LISTED = 200
PENDING_LIFETIME = timedelta(minutes=10)


def _pending(machine_now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        LoginSession.second_factor_pending.is_(True),
        LoginSession.revoked_at.is_(None),
        LoginSession.expires_at > machine_now,
    )


class LoginSessionRepository(Repository[LoginSession]):
    """Adds, lists and revokes sessions in the caller's transaction.

    Sessions of operators who impersonate a person are not listed; revoking all of the person's
    sessions revokes them too, and revoking all of the operator's.
    """

    model_type = LoginSession

    async def add_session(
        self, token_hash: bytes, user_id: UserId, tenant_id: TenantId, client_info: ClientInfo,
        machine_now: datetime, *, lifetime: timedelta = SESSION_LIFETIME,
        impersonator_id: UserId | None = None, second_factor_at: datetime | None = None,
        signed_in_at: datetime | None = None, is_pending: bool = False,
    ) -> None:  # fmt: skip
        await self.session.execute(
            insert(LoginSession).values(
                token_hash=token_hash,
                user_id=user_id,
                tenant_id=tenant_id,
                created_at=machine_now,
                last_seen_at=machine_now,
                expires_at=machine_now + lifetime,
                impersonator_id=impersonator_id,
                ip=client_info.ip,
                agent=client_info.user_agent,
                second_factor_at=second_factor_at,
                second_factor_pending=is_pending,
                signed_in_at=signed_in_at,
            )
        )

    async def get_sign_in_time(self, session_id: SessionId) -> datetime:
        """Return when the person of a session signed in, before any impersonation."""
        statement = select(SIGNED_IN_AT).where(LoginSession.id == session_id)
        return (await self.session.scalars(statement)).one()

    async def find_pending(self, token_hash: bytes, machine_now: datetime) -> LoginSession | None:
        """Return the session of a token if it waits for the second factor."""
        return await self.session.scalar(
            select(LoginSession).where(
                LoginSession.token_hash == token_hash, *_pending(machine_now)
            )
        )

    async def end_pending(self, session_id: SessionId, machine_now: datetime) -> bool:
        """Revoke a session that waits for the second factor; False when it does so no longer."""
        statement = (
            update(LoginSession)
            .where(LoginSession.id == session_id, *_pending(machine_now))
            .values(revoked_at=machine_now)
            .returning(LoginSession.id)
        )
        return await self.session.scalar(statement) is not None

    async def list_active(
        self, user_id: UserId, machine_now: datetime, *, is_operator: bool
    ) -> Sequence[LoginSession]:
        """Return up to 200 active sessions, the last seen first."""
        limits = OPERATOR_LIMITS if is_operator else CUSTOMER_LIMITS
        statement = (
            select(LoginSession)
            .where(
                LoginSession.user_id == user_id,
                LoginSession.revoked_at.is_(None),
                LoginSession.expires_at > machine_now,
                machine_now - limits.lifetime < SIGNED_IN_AT,
                LoginSession.last_seen_at > machine_now - limits.idle_timeout,
                LoginSession.impersonator_id.is_(None),
                LoginSession.second_factor_pending.is_(False),
            )
            .order_by(
                LoginSession.last_seen_at.desc(), LoginSession.created_at.desc(), LoginSession.id
            )
            .limit(MAX_LISTED)
        )
        return (await self.session.scalars(statement)).all()

    async def revoke(self, session_id: SessionId, machine_now: datetime) -> None:
        await self.session.execute(
            update(LoginSession)
            .where(LoginSession.id == session_id, LoginSession.revoked_at.is_(None))
            .values(revoked_at=machine_now)
        )

    async def revoke_listed(self, user_id: UserId, session_id: UUID, machine_now: datetime) -> bool:
        """Revoke a session of the person's list; False when it has none with that id."""
        statement = (
            update(LoginSession)
            .where(
                LoginSession.id == session_id,
                LoginSession.user_id == user_id,
                LoginSession.revoked_at.is_(None),
                LoginSession.expires_at > machine_now,
                LoginSession.impersonator_id.is_(None),
            )
            .values(revoked_at=machine_now)
            .returning(LoginSession.id)
        )
        return await self.session.scalar(statement) is not None

    async def revoke_all(
        self, user_id: UserId, machine_now: datetime, *, kept_id: SessionId | None = None
    ) -> int:
        """Revoke all sessions of a person but `kept_id`; return their number."""
        statement = (
            update(LoginSession)
            .where(
                or_(LoginSession.user_id == user_id, LoginSession.impersonator_id == user_id),
                LoginSession.id.is_distinct_from(kept_id),
                LoginSession.revoked_at.is_(None),
                LoginSession.expires_at > machine_now,
            )
            .values(revoked_at=machine_now)
            .returning(LoginSession.id)
        )
        return len((await self.session.scalars(statement)).all())

    async def recent_ips(self, email_key: str, since: datetime) -> list[str]:
        """Return the IP addresses that the person of an address has signed in from since then."""
        statement = (
            select(LoginSession.ip)
            .join(UserAccount, UserAccount.id == LoginSession.user_id)
            .where(
                UserAccount.email_key == email_key,
                LoginSession.created_at > since,
                LoginSession.impersonator_id.is_(None),
                LoginSession.second_factor_pending.is_(False),
            )
            .distinct()
        )
        return [ip for ip in await self.session.scalars(statement) if ip is not None]
