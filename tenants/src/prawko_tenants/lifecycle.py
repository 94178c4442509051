"""The life of a company: how its data begins and how all of it ends."""

from datetime import datetime

from sqlalchemy import delete, text

from prawko_tenants.company import Tenant
from prawko_tenants.sessions import TenantSession

# Without keys to the company: a driver may go while it is being checked. They fall in with
# their day, and a worker's policy shows it those of every company.
_CHECK_ITEMS = text("DELETE FROM check_item WHERE tenant_id = :tenant_id")

# Payments stay, for the books and for money that comes late: as ids and sums.
_PAYMENTS = text("""
    UPDATE payment SET url = NULL, transfer = NULL, sealed = NULL, reason = NULL
     WHERE tenant_id = :tenant_id
""")


async def found(session: TenantSession, *, at: datetime, company_name: str = "") -> Tenant:
    """Write the company this session is bound to. A new company's id comes from `new_id`."""
    company = Tenant(id=session.tenant_id, company_name=company_name, created_at=at, updated_at=at)
    session.add(company)
    await session.flush()
    return company


async def erase(session: TenantSession) -> None:
    """Delete the company this session is bound to, with every row that hangs on it.

    Its people stay: whoever erases the company decides about accounts that now belong to none.
    The panel's login may not do this; the owner's and the workers' may.
    """
    await session.execute(_CHECK_ITEMS, {"tenant_id": session.tenant_id})
    await session.execute(_PAYMENTS, {"tenant_id": session.tenant_id})
    await session.execute(delete(Tenant).where(Tenant.id == session.tenant_id))
