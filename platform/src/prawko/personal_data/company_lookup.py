"""Finds companies by a member's e-mail address, for operators."""

from collections.abc import Sequence

from sqlalchemy import select

from prawko.accounts.email_address import normalise_email
from prawko.accounts.models import Membership, UserAccount
from prawko.kit.context import AppContext
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant


async def find_companies_by_email(context: AppContext, email: str) -> Sequence[TenantId]:
    """Return the companies that the person with this address belongs to."""
    statement = (
        select(Membership.tenant_id)
        .join(UserAccount, UserAccount.id == Membership.user_id)
        .where(UserAccount.email_key == normalise_email(email.strip()))
        .order_by(Membership.tenant_id)
    )
    async with context.database.system() as session:
        return (await session.scalars(statement)).all()


async def find_company_name(context: AppContext, tenant_id: TenantId) -> str | None:
    """Return the company's name, which may be empty; None for an unknown company."""
    async with context.database.tenant(tenant_id) as session:
        return await session.scalar(select(Tenant.company_name).where(Tenant.id == tenant_id))
