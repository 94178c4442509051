"""Creation and erasure of a company."""

from datetime import datetime

from sqlalchemy import delete, text

from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

# No foreign key deletes them: a driver may be removed while it is being checked. The filter is
# needed because the worker's policy shows the rows of every company.
_DELETE_CHECK_ITEMS = text("DELETE FROM check_item WHERE tenant_id = :tenant_id")

# Payments are kept for accounting and for money that arrives late, as ids and amounts.
_REDACT_PAYMENTS = text("""
    UPDATE payment SET url = NULL, transfer = NULL, encrypted_details = NULL, reason = NULL
     WHERE tenant_id = :tenant_id
""")


async def create_tenant(session: TenantSession, *, at: datetime, company_name: str = "") -> Tenant:
    """Insert the session's company. The id of a new company comes from `new_id`."""
    company = Tenant(id=session.tenant_id, company_name=company_name, created_at=at, updated_at=at)
    session.add(company)
    await session.flush()
    return company


async def erase_tenant(session: TenantSession) -> None:
    """Delete the session's company and every row that references it.

    Accounts are not deleted: the caller decides about those that now belong to no company.
    Needs the owner's or the worker's login; the panel's lacks the right.
    """
    await session.execute(_DELETE_CHECK_ITEMS, {"tenant_id": session.tenant_id})
    await session.execute(_REDACT_PAYMENTS, {"tenant_id": session.tenant_id})
    await session.execute(delete(Tenant).where(Tenant.id == session.tenant_id))
