"""Creation of a company."""

from datetime import datetime

from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession


async def create_tenant(session: TenantSession, *, at: datetime, company_name: str = "") -> Tenant:
    """Insert the session's company. The id of a new company comes from `new_id`."""
    company = Tenant(id=session.tenant_id, company_name=company_name, created_at=at, updated_at=at)
    session.add(company)
    await session.flush()
    return company
