"""Operator accounts, and revoking any user's sessions from the command line."""

import zlib
from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.email_address import normalise_email
from prawko.accounts.errors import LastOperatorError
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import UserAccount
from prawko.accounts.passwords import hashing
from prawko.accounts.repository import AccountRepository, SignUp
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.text.i18n import Language
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, UserId, new_id

_LAST_OPERATOR_LOCK = zlib.crc32(b"last_operator")


async def make_operator(context: AppContext, email: str, password: str) -> None:
    """Make a person an operator with this password; create the account if there is none.

    An existing account's sessions are revoked: they began with another password and fewer
    rights. Raises RuntimeError when the address is taken by a concurrent sign-up.
    """
    password_hash = await hashing.hash_password(password)
    now = context.clock.now()
    key = normalise_email(email)
    async with context.database.system() as session:
        account = await AccountRepository(session).find_by_email(key)
    tenant_id = account.tenant_id if account else TenantId(new_id())
    async with context.database.tenant(tenant_id) as session:
        accounts = AccountRepository(session)
        user_id = account.id if account else None
        if user_id is None:
            user_id = await accounts.add_user(
                SignUp(
                    email=email,
                    password_hash=password_hash,
                    language=Language.PL,
                    now=now,
                )
            )
            if user_id is None:
                raise RuntimeError("the account appeared in the same moment; try again")
            await lifecycle.create_tenant(session, at=now)
            await accounts.add_membership(tenant_id, user_id, now)
        await accounts.promote(user_id, password_hash, now)
        await LoginSessionRepository(session).revoke_all(user_id, utc_now())


async def ensure_operator_remains(session: AsyncSession, leaving: Collection[UserId]) -> None:
    """Raise an error if no operator would remain when these people's accounts are deleted.

    Called in the transaction that deletes them, after their rows were locked. Concurrent calls
    wait for each other, so that two operators cannot delete one another. Raises
    LastOperatorError.
    """
    operators = select(UserAccount.id).where(UserAccount.is_admin).limit(1)
    if await session.scalar(operators.where(UserAccount.id.in_(leaving))) is None:
        return
    await session.execute(select(func.pg_advisory_xact_lock(_LAST_OPERATOR_LOCK)))
    if await session.scalar(operators.where(UserAccount.id.not_in(leaving))) is None:
        raise LastOperatorError


async def switch_off_second_factor(context: AppContext, email: str) -> bool | None:
    """Switch off the second factor of a person who lost the app and the recovery codes.

    Ends the person's sessions and mails the person. None for an unknown address; False when it
    was off.
    """
    async with context.database.system() as session:
        account = await AccountRepository(session).find_by_email(normalise_email(email.strip()))
    if account is None:
        return None
    async with context.database.tenant(account.tenant_id) as session:
        await AccountRepository(session).lock_user(account.id)
        if not await SecondFactorRepository(session).remove(account.id):
            return False
        await LoginSessionRepository(session).revoke_all(account.id, utc_now())
        await record_event(
            session, AuditEvent.SECOND_FACTOR_DISABLED, account.actor,
            ClientInfo(ip="", user_agent=""), context.clock.now(),
        )  # fmt: skip
        await enqueue_second_factor_mail(context, session, account.id, SecondFactorMail.DISABLED)
    return True


async def revoke_user_sessions(context: AppContext, email: str) -> int | None:
    """Revoke every session of a person and return their number; None for an unknown address."""
    async with context.database.system() as session:
        account = await AccountRepository(session).find_by_email(normalise_email(email.strip()))
        if account is None:
            return None
        await AccountRepository(session).lock_user(account.id)
        return await LoginSessionRepository(session).revoke_all(account.id, utc_now())
