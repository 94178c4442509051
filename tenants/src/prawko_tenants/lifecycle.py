"""The life of a company: how its data begins and how all of it ends."""

from datetime import datetime

from sqlalchemy import delete

from prawko_tenants.company import Tenant
from prawko_tenants.sessions import TenantSession


async def found(session: TenantSession, *, at: datetime, company_name: str = "") -> Tenant:
    """Write the company this session is bound to. A new company's id comes from `new_id`."""
    company = Tenant(id=session.tenant_id, company_name=company_name, created_at=at, updated_at=at)
    session.add(company)
    await session.flush()
    return company


async def erase(session: TenantSession) -> None:
    """Delete the company this session is bound to, with every row that hangs on it.

    Its people stay: whoever erases the company decides about accounts that now belong to none.
    """
    await session.execute(delete(Tenant).where(Tenant.id == session.tenant_id))
