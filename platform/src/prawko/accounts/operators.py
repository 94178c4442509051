"""Operator accounts, and revoking any user's sessions from the command line."""

import zlib
from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.email_address import normalise_email
from prawko.accounts.errors import LastOperatorError, SecondFactorDisabledError
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import UserAccount
from prawko.accounts.passwords import hashing
from prawko.accounts.repository import AccountRepository, LoginAccount, SignUp
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.text.i18n import Language
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, UserId, new_id

_LAST_OPERATOR_LOCK = zlib.crc32(b"last_operator")


async def make_operator(
    context: AppContext, acts: OperatorActs, email: str, password: str, reason: str | None = None
) -> None:
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
    async with acts.open_company(tenant_id) as session:
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
        await acts.record(
            AdminActionType.OPERATOR_MADE, target_user_id=user_id, reason=reason,
            requires_reason=False,
        )  # fmt: skip


async def remove_operator(
    context: AppContext, acts: OperatorActs, email: str, reason: str | None
) -> None:
    """Take the operator's right away, and end the person's sessions and impersonations.

    Raises NotFoundError for a person who is no operator, and LastOperatorError.
    """
    account = await _find_account(context, email)
    async with acts.open_system(person=account.id) as session:
        await ensure_operator_remains(session, [account.id])
        if not await AccountRepository(session).demote(account.id, context.clock.now()):
            raise NotFoundError
        await LoginSessionRepository(session).revoke_all(account.id, utc_now())
        await acts.record(
            AdminActionType.OPERATOR_REMOVED, target_user_id=account.id, reason=reason,
            requires_reason=False,
        )  # fmt: skip


async def ensure_operator_remains(session: AsyncSession, leaving: Collection[UserId]) -> None:
    """Raise an error if no operator would remain without these people.

    Called in the transaction that deletes or demotes them, after their rows were locked. Concurrent
    calls wait for each other, so that two operators cannot delete one another. Raises
    LastOperatorError.
    """
    operators = select(UserAccount.id).where(UserAccount.is_admin).limit(1)
    if await session.scalar(operators.where(UserAccount.id.in_(leaving))) is None:
        return
    await session.execute(select(func.pg_advisory_xact_lock(_LAST_OPERATOR_LOCK)))
    if await session.scalar(operators.where(UserAccount.id.not_in(leaving))) is None:
        raise LastOperatorError


async def switch_off_second_factor(
    context: AppContext, acts: OperatorActs, email: str, reason: str | None
) -> None:
    """Switch off the second factor of a person who lost the app and the recovery codes.

    Ends the person's sessions and mails the person. Raises NotFoundError for an unknown address,
    and SecondFactorDisabledError when it was off.
    """
    account = await _find_account(context, email)
    async with acts.open_company(account.tenant_id) as session:
        await AccountRepository(session).lock_user(account.id)
        if not await SecondFactorRepository(session).remove(account.id):
            raise SecondFactorDisabledError
        await LoginSessionRepository(session).revoke_all(account.id, utc_now())
        await record_event(
            session, AuditEvent.SECOND_FACTOR_DISABLED, account.actor,
            ClientInfo(ip="", user_agent=""), context.clock.now(),
        )  # fmt: skip
        await enqueue_second_factor_mail(session, account.id, SecondFactorMail.DISABLED)
        await acts.record(
            AdminActionType.SECOND_FACTOR_DISABLED, target_user_id=account.id, reason=reason
        )


async def revoke_user_sessions(
    context: AppContext, acts: OperatorActs, email: str, reason: str | None
) -> int:
    """Revoke every session of a person and return their number. Raises NotFoundError."""
    account = await _find_account(context, email)
    async with acts.open_system(person=account.id) as session:
        count = await LoginSessionRepository(session).revoke_all(account.id, utc_now())
        await acts.record(
            AdminActionType.SESSIONS_REVOKED, target_user_id=account.id, reason=reason, count=count
        )
    return count


async def _find_account(context: AppContext, email: str) -> LoginAccount:
    """Return the account of an address. Raises NotFoundError."""
    async with context.database.system() as session:
        account = await AccountRepository(session).find_by_email(normalise_email(email.strip()))
    if account is None:
        raise NotFoundError
    return account
