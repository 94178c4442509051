"""Erases a company and the people who belong to no other.

The company's own rows are deleted by cascade. Rows that no company owns are deleted here:
accounts with their sessions, codes and audit events, and contact messages of these people.
Trial claims stay, as keyed digests without the company's id (docs/rules.md R3). Backups expire
(docs/personal-data.md).
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import timedelta
from typing import TypeVar

import msgspec
from sqlalchemy import delete, exists, func, null, select, update
from sqlalchemy.orm import aliased

from prawko.accounts.models import Membership, UserAccount
from prawko.accounts.operators import ensure_operator_remains
from prawko.kit.clock import utc_now
from prawko.kit.observability import logs
from prawko.kit.work.lease import retry_write
from prawko.payments.models import Payment
from prawko.support.models import ContactMessage
from prawko.verifications.models import CheckItem
from prawko_tenants.ids import UserId
from prawko_tenants.models import Tenant
from prawko_tenants.outages import is_conflict
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

T = TypeVar("T")

ERASURE_PERIOD = timedelta(seconds=20)  # for all attempts


class CompanyNotFoundError(Exception):
    """There is no company with this id."""


class ErasureResult(msgspec.Struct, frozen=True):
    """The number of deleted accounts."""

    people: int


async def retry_erasure(erase: Callable[[], Awaitable[T]]) -> T:
    """Erase in a transaction, and again after a deadlock with the writes of a member.

    Those lock rows of the company first and then the company, and are not retried.
    """
    return await retry_write(utc_now() + ERASURE_PERIOD, erase, should_retry=is_conflict)


async def erase_company(session: TenantSession) -> ErasureResult:
    """Erase the company that the session is bound to, with the people who belong to no other.

    Raises CompanyNotFoundError, and LastOperatorError when the last operator belongs to it alone
    (rule R22). The panel's login lacks the rights.
    """
    people = await erase_company_rows(session)
    await erase_accounts(session, people)
    return ErasureResult(people=len(people))


async def erase_company_rows(session: TenantSession) -> Sequence[UserId]:
    """Erase a company without its people's accounts; return people who belong to no other company.

    Locks the company, then the accounts. Raises like `erase_company`.
    """
    tenant_id = session.tenant_id
    company = select(Tenant.id).where(Tenant.id == tenant_id).with_for_update()
    if await session.scalar(company) is None:
        raise CompanyNotFoundError
    elsewhere = aliased(Membership)
    sole_members = (
        select(UserAccount.id)
        .join(Membership, Membership.user_id == UserAccount.id)
        .where(
            Membership.tenant_id == tenant_id,
            ~exists().where(elsewhere.user_id == UserAccount.id, elsewhere.tenant_id != tenant_id),
        )
        .order_by(UserAccount.id)  # as all transactions lock accounts
        .with_for_update(of=UserAccount)
    )
    ids = (await session.scalars(sole_members)).all()
    await ensure_operator_remains(session, ids)
    await erase_tenant(session)
    await _delete_contact_messages(session, ids)
    log.info("company_erased", tenant_id=str(tenant_id), people=len(ids))
    return ids


async def erase_person_rows(session: TenantSession, user_id: UserId) -> Sequence[UserId]:
    """Erase a person's rows except the account, and the bound company if it has no other member.

    Returns whose accounts are left to erase. Raises LastOperatorError. The caller has locked the
    company and the account.
    """
    await ensure_operator_remains(session, [user_id])
    members = select(Membership.user_id).where(Membership.tenant_id == session.tenant_id)
    if (await session.scalars(members)).all() == [user_id]:
        await erase_company_rows(session)
    await session.execute(select(func.remove_member(user_id)))
    await _delete_contact_messages(session, [user_id])
    return [user_id]


async def erase_accounts(session: TenantSession, ids: Collection[UserId]) -> None:
    """Delete locked accounts with their sessions, codes and audit events.

    It waits only for transactions that hold the accounts' login sessions.
    """
    await session.execute(delete(UserAccount).where(UserAccount.id.in_(ids)))


async def _delete_contact_messages(session: TenantSession, ids: Collection[UserId]) -> None:
    keys = select(UserAccount.email_key).where(UserAccount.id.in_(ids))
    await session.execute(delete(ContactMessage).where(ContactMessage.email_key.in_(keys)))


async def erase_tenant(session: TenantSession) -> None:
    """Delete the session's company and every row that references it, but no account.

    Payments are kept for accounting and for money that arrives late, as ids and amounts.
    """
    tenant_id = session.tenant_id
    # No foreign key deletes them: a driver may be removed while it is being checked. The filter
    # is needed because the worker's policy shows the rows of every company.
    await session.execute(delete(CheckItem).where(CheckItem.tenant_id == tenant_id))
    await session.execute(
        update(Payment)
        .where(Payment.tenant_id == tenant_id)
        .values(url=None, transfer=null(), encrypted_details=None, reason=None)
    )
    await session.execute(delete(Tenant).where(Tenant.id == tenant_id))
