"""Operators who act in a person's name, in a session of their own (docs/rules.md R21)."""

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import (
    OPERATOR_LIMITS,
    Actor,
    Identity,
    ensure_session_active,
    hash_token,
    new_session_token,
)
from prawko.accounts.login import NewSession, create_session
from prawko.accounts.login_sessions import LoginSessionRepository, own_session_proof
from prawko.accounts.models import LoginSession, UserAccount
from prawko.accounts.repository import AccountRepository
from prawko.accounts.schemas import ImpersonatorOut
from prawko.kit.clock import utc_now
from prawko.kit.errors import AuthForbiddenError, AuthRequiredError
from prawko_tenants.engine import Database
from prawko_tenants.ids import SessionId, new_id

IMPERSONATION_LIFETIME = timedelta(minutes=60)  # a constraint of the table has it, too


class Impersonation(msgspec.Struct, frozen=True):
    """A session in a person's name: its token, and how long it lasts."""

    token: str
    lifetime: timedelta


async def start_impersonation(
    session: AsyncSession, acts: OperatorActs, person: Actor, client_info: ClientInfo,
    reason: str | None,
) -> Impersonation:  # fmt: skip
    """Open a session in a person's name in place of the operator's own, and record the act.

    It ends no later than the operator's own session would have. The caller has ruled out
    operators, and that a session is nested. Raises AuthRequiredError and ReasonRequiredError.
    """
    if person.tenant_id is None:
        raise ValueError("a person without a company cannot be impersonated")
    reason, now = acts.clean_reason(reason), acts.context.clock.now()
    sessions, token, operator = (
        LoginSessionRepository(session),
        new_session_token(),
        acts.identity,
    )
    signed_in_at = await sessions.get_sign_in_time(operator.session_id)
    time_left = signed_in_at + OPERATOR_LIMITS.lifetime - utc_now()
    lifetime = min(IMPERSONATION_LIFETIME, time_left)
    session_id = SessionId(new_id())
    await record_event(
        session, AuditEvent.IMPERSONATION_STARTED, person, client_info, now,
        impersonator=operator.user_id,
    )  # fmt: skip
    if not await sessions.add_impersonation(
        session_id, hash_token(token), operator, person, client_info,
        lifetime=lifetime, reason=reason, now=now,
    ):  # fmt: skip
        raise AuthRequiredError
    acts.note_recorded()
    return Impersonation(token, lifetime)


async def end_impersonation(
    database: Database, identity: Identity, client_info: ClientInfo, now: datetime
) -> NewSession | None:
    """End the caller's impersonation; return a new session of the operator's own.

    None when the operator belongs to no company any more. Raises AuthForbiddenError for any other
    session.
    """
    operator_id = identity.impersonator_id
    if operator_id is None:
        raise AuthForbiddenError
    async with database.system() as session:
        accounts = AccountRepository(session)
        await accounts.lock_user(operator_id)
        await ensure_session_active(session, identity)
        await record_event(
            session, AuditEvent.IMPERSONATION_ENDED, identity, client_info, now,
            session=identity.session_id,
        )  # fmt: skip
        sessions = LoginSessionRepository(session)
        tenant_id = await accounts.first_company(operator_id)
        if tenant_id is None:
            await sessions.revoke(identity.session_id, utc_now())
            return None
        return await create_session(
            session, operator_id, tenant_id, client_info,
            email_verified=True, caller=identity,
            second_factor_at=identity.second_factor_at,  # the operator's, kept for the way back
            proof=own_session_proof(identity),
        )  # fmt: skip


async def find_impersonator(session: AsyncSession, identity: Identity) -> ImpersonatorOut | None:
    """Return the operator of the caller's impersonation; None for the person's own session."""
    if identity.impersonator_id is None:
        return None
    statement = (
        select(UserAccount.email, LoginSession.expires_at)
        .join(LoginSession, LoginSession.impersonator_id == UserAccount.id)
        .where(LoginSession.id == identity.session_id)
    )
    email, expires_at = (await session.execute(statement)).one()
    seconds_left = max(0, int((expires_at - utc_now()).total_seconds()))
    return ImpersonatorOut(email=email, seconds_left=seconds_left)
