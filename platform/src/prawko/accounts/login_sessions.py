"""The repository of the sessions of people's browsers. Their times are the system clock's."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, DateTime, and_, func, insert, literal, or_, select, update

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import (
    CUSTOMER_LIMITS,
    OPERATOR_LIMITS,
    SESSION_LIFETIME,
    SIGNED_IN_AT,
    Actor,
    Identity,
    SessionLimits,
)
from prawko.accounts.models import LoginSession, UserAccount
from prawko.kit.clock import utc_now
from prawko.kit.database import Repository
from prawko.kit.errors import AuthRequiredError
from prawko_tenants.ids import SessionId, TenantId, UserId, new_id

MAX_LISTED = 200
PENDING_LIFETIME = timedelta(minutes=10)
_INSTANT = DateTime(timezone=True)


def _pending(system_now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        LoginSession.second_factor_pending.is_(True),
        LoginSession.revoked_at.is_(None),
        LoginSession.expires_at > system_now,
    )


def _belongs_to(user_id: UserId) -> ColumnElement[bool]:
    """Sessions of a person, and those in which the person impersonates another one."""
    return or_(LoginSession.user_id == user_id, LoginSession.impersonator_id == user_id)


class ActiveSession(msgspec.Struct, frozen=True):
    """A session of a person's list, with the impersonator and the impersonated person."""

    login: LoginSession
    is_operators: bool
    impersonated_email: str | None


class SessionProof(msgspec.Struct, frozen=True):
    """The proof that the database asks for before an operator's session: a digest, or a token.

    The token is that of the operator's present session, or of the one that waits for its code.
    """

    password_digest: str = ""
    token: str = ""

    def __repr__(self) -> str:
        return "SessionProof(…)"


def own_session_proof(identity: Identity) -> SessionProof | None:
    """Return the proof with which an operator opens another session; None for other users."""
    is_operator = identity.is_admin or identity.impersonator_id is not None
    return SessionProof(token=identity.token) if is_operator else None


class LoginSessionRepository(Repository[LoginSession]):
    """Adds, lists and revokes sessions in the caller's transaction.

    A session in which an operator impersonates a person belongs to both: each sees it listed, and
    revoking all sessions of one of them revokes it too.
    """

    model_type = LoginSession

    async def add_session(
        self, token_hash: bytes, user_id: UserId, tenant_id: TenantId, client_info: ClientInfo,
        system_now: datetime, *, lifetime: timedelta = SESSION_LIFETIME,
        second_factor_at: datetime | None = None, is_pending: bool = False,
        proof: SessionProof | None = None,
    ) -> None:  # fmt: skip
        """Add a session; of an operator with a proof, else the database refuses.

        With a token as the proof, the database takes the time of the sign-in from its session.
        Raises AuthRequiredError for a wrong proof.
        """
        if proof is not None:
            added = func.add_operator_session(
                user_id, proof.password_digest, proof.token, new_id(), token_hash, tenant_id,
                literal(system_now, _INSTANT), literal(system_now + lifetime, _INSTANT),
                client_info.ip, client_info.user_agent, literal(second_factor_at, _INSTANT),
                is_pending, literal(None, _INSTANT),
            )  # fmt: skip
            if not await self.session.scalar(select(added)):
                raise AuthRequiredError
            return
        await self.session.execute(
            insert(LoginSession).values(
                token_hash=token_hash,
                user_id=user_id,
                tenant_id=tenant_id,
                created_at=system_now,
                last_seen_at=system_now,
                expires_at=system_now + lifetime,
                ip=client_info.ip,
                agent=client_info.user_agent,
                second_factor_at=second_factor_at,
                second_factor_pending=is_pending,
            )
        )

    async def add_impersonation(
        self, session_id: SessionId, token_hash: bytes, operator: Identity, person: Actor,
        client_info: ClientInfo, *, lifetime: timedelta, reason: str | None, now: datetime,
    ) -> bool:  # fmt: skip
        """Add an operator's session in a person's name; False where the database refuses it.

        The database ends the operator's own session, whose sign-in and second factor the new one
        keeps, and records the act. The console's login can add no session in another way.
        """
        system_now = utc_now()
        added = func.add_impersonation(
            session_id, operator.session_id, token_hash, person.user_id, person.tenant_id,
            literal(system_now, _INSTANT), literal(system_now + lifetime, _INSTANT),
            client_info.ip, client_info.user_agent, operator.token, reason, literal(now, _INSTANT),
        )  # fmt: skip
        return bool(await self.session.scalar(select(added)))

    async def get_sign_in_time(self, session_id: SessionId) -> datetime:
        """Return when the person of a session signed in, before any impersonation."""
        statement = select(SIGNED_IN_AT).where(LoginSession.id == session_id)
        return (await self.session.scalars(statement)).one()

    async def find_pending(self, token_hash: bytes, system_now: datetime) -> LoginSession | None:
        """Return the session of a token if it waits for the second factor."""
        return await self.session.scalar(
            select(LoginSession).where(LoginSession.token_hash == token_hash, *_pending(system_now))
        )

    async def end_pending(self, session_id: SessionId, system_now: datetime) -> bool:
        """Revoke a session that waits for the second factor; False when it does so no longer."""
        statement = (
            update(LoginSession)
            .where(LoginSession.id == session_id, *_pending(system_now))
            .values(revoked_at=system_now)
            .returning(LoginSession.id)
        )
        return await self.session.scalar(statement) is not None

    async def list_active(
        self, user_id: UserId, system_now: datetime, *, is_operator: bool
    ) -> list[ActiveSession]:
        """Return up to 200 active sessions, the last seen first.

        Included are the sessions in which an operator impersonates the person, and those in which
        the person, an operator, impersonates another one.
        """
        limits = OPERATOR_LIMITS if is_operator else CUSTOMER_LIMITS

        def is_within(limits: SessionLimits) -> ColumnElement[bool]:
            return and_(
                system_now - limits.lifetime < SIGNED_IN_AT,
                LoginSession.last_seen_at > system_now - limits.idle_timeout,
            )

        statement = (
            select(LoginSession, UserAccount.email)
            .join(UserAccount, UserAccount.id == LoginSession.user_id)
            .where(
                _belongs_to(user_id),
                LoginSession.revoked_at.is_(None),
                LoginSession.expires_at > system_now,
                or_(LoginSession.impersonator_id.is_not(None), is_within(limits)),
                or_(LoginSession.impersonator_id.is_(None), is_within(OPERATOR_LIMITS)),
                LoginSession.second_factor_pending.is_(False),
            )
            .order_by(
                LoginSession.last_seen_at.desc(), LoginSession.created_at.desc(), LoginSession.id
            )
            .limit(MAX_LISTED)
        )
        return [
            ActiveSession(
                login=login,
                is_operators=login.impersonator_id is not None and login.user_id == user_id,
                impersonated_email=None if login.user_id == user_id else email,
            )
            for login, email in await self.session.execute(statement)
        ]

    async def revoke(self, session_id: SessionId, system_now: datetime) -> None:
        await self.session.execute(
            update(LoginSession)
            .where(LoginSession.id == session_id, LoginSession.revoked_at.is_(None))
            .values(revoked_at=system_now)
        )

    async def revoke_listed(self, user_id: UserId, session_id: UUID, system_now: datetime) -> bool:
        """Revoke a session of the person's list; False when it has none with that id."""
        statement = (
            update(LoginSession)
            .where(
                LoginSession.id == session_id,
                _belongs_to(user_id),
                LoginSession.revoked_at.is_(None),
                LoginSession.expires_at > system_now,
            )
            .values(revoked_at=system_now)
            .returning(LoginSession.id)
        )
        return await self.session.scalar(statement) is not None

    async def revoke_all(
        self, user_id: UserId, system_now: datetime, *, kept_id: SessionId | None = None
    ) -> int:
        """Revoke all sessions of a person but `kept_id`; return the number of active ones.

        Expired ones too, because push messages continue after a session has expired. The account
        then knows no browser, not even that of `kept_id`.
        """
        await self.session.execute(
            update(UserAccount)
            .where(UserAccount.id == user_id)
            .values(browser_generation=UserAccount.browser_generation + 1)
        )
        statement = (
            update(LoginSession)
            .where(
                _belongs_to(user_id),
                LoginSession.id.is_distinct_from(kept_id),
                LoginSession.revoked_at.is_(None),
            )
            .values(revoked_at=system_now)
            .returning(LoginSession.expires_at)
        )
        ends = await self.session.scalars(statement)
        return sum(expires_at > system_now for expires_at in ends)

    async def lock_all(self, ids: Collection[UserId]) -> None:
        """Lock all sessions of some people, and those in which they impersonate others.

        The accounts are locked before, so that no session is added meanwhile.
        """
        await self.session.execute(
            select(LoginSession.id)
            .where(or_(LoginSession.user_id.in_(ids), LoginSession.impersonator_id.in_(ids)))
            .order_by(LoginSession.id)
            .with_for_update()
        )
