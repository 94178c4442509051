"""Creation and locking of a company."""

from datetime import datetime

from sqlalchemy import select

from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession


async def create_tenant(session: TenantSession, *, at: datetime, company_name: str = "") -> Tenant:
    """Insert the session's company. The id of a new company comes from `new_id`."""
    company = Tenant(id=session.tenant_id, company_name=company_name, created_at=at, updated_at=at)
    session.add(company)
    await session.flush()
    return company


async def lock_tenant(session: TenantSession, *, to_delete: bool = False) -> None:
    """Lock the session's company, if there is one: without `to_delete`, only against deletion."""
    company = select(Tenant.id).where(Tenant.id == session.tenant_id)
    await session.execute(company.with_for_update(read=not to_delete, key_share=not to_delete))
