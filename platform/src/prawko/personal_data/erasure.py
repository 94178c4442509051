"""Erases a company and the people who belong to no other.

The company's own rows are deleted by cascade. Rows that no company owns are deleted here:
accounts with their sessions, codes and audit events, and contact messages of these people.
Trial claims stay, as keyed digests without the company's id (docs/rules.md R3). Backups expire
(docs/personal-data.md).
"""

import msgspec
from sqlalchemy import delete, exists, func, null, select, update
from sqlalchemy.orm import aliased

from prawko.accounts.models import Membership, UserAccount, UserActivity
from prawko.base import logs
from prawko.payments.models import Payment
from prawko.support.models import ContactMessage
from prawko.verifications.models import CheckItem
from prawko_tenants.ids import UserId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)


class CompanyNotFoundError(Exception):
    """There is no company with this id."""


class LastOperatorError(Exception):
    """The last operator belongs to this company alone (rule R22)."""


class ErasureResult(msgspec.Struct, frozen=True):
    """The number of deleted accounts."""

    people: int


async def erase_company(session: TenantSession) -> ErasureResult:
    """Erase the company that the session is bound to.

    Raises CompanyNotFoundError and LastOperatorError. The panel's login lacks the rights; the
    owner's and the workers' logins have them.
    """
    tenant_id = session.tenant_id
    company = select(Tenant.id).where(Tenant.id == tenant_id).with_for_update()
    if await session.scalar(company) is None:
        raise CompanyNotFoundError
    elsewhere = aliased(Membership)
    sole_members = (
        select(UserAccount.id, UserAccount.email_key, UserAccount.is_admin)
        .join(Membership, Membership.user_id == UserAccount.id)
        .where(
            Membership.tenant_id == tenant_id,
            ~exists().where(elsewhere.user_id == UserAccount.id, elsewhere.tenant_id != tenant_id),
        )
        .with_for_update(of=UserAccount)
    )
    people = (await session.execute(sole_members)).all()
    ids = [person.id for person in people]
    other_operators = select(func.count()).where(UserAccount.is_admin, UserAccount.id.not_in(ids))
    if any(person.is_admin for person in people) and not await session.scalar(other_operators):
        raise LastOperatorError
    await erase_tenant(session)
    await session.execute(delete(UserActivity).where(UserActivity.tenant_id == tenant_id))
    await session.execute(delete(UserAccount).where(UserAccount.id.in_(ids)))
    keys = [person.email_key for person in people]
    await session.execute(delete(ContactMessage).where(ContactMessage.email_key.in_(keys)))
    log.info("company_erased", tenant_id=str(tenant_id), people=len(ids))
    return ErasureResult(people=len(ids))


async def erase_person(session: TenantSession, user_id: UserId) -> None:
    """Erase a person, and the company that the session is bound to if nobody else belongs to it.

    Raises LastOperatorError.
    """
    members = select(Membership.user_id).where(Membership.tenant_id == session.tenant_id)
    account = select(UserAccount.email_key).where(UserAccount.id == user_id)
    email_key = await session.scalar(account)
    if (await session.scalars(members)).all() == [user_id]:
        await erase_company(session)
    await session.execute(delete(UserAccount).where(UserAccount.id == user_id))
    await session.execute(delete(ContactMessage).where(ContactMessage.email_key == email_key))


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
