"""Finds companies by a member's e-mail address, for operators. Contains SQL."""

from sqlalchemy import text

from prawko.accounts.email_address import normalise_email
from prawko.base.context import AppContext
from prawko_tenants.ids import TenantId

_SELECT_BY_EMAIL = text("""
    SELECT m.tenant_id FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE u.email_key = :email_key ORDER BY m.tenant_id
""")
_SELECT_NAME = text("SELECT company_name FROM tenant WHERE id = :tenant_id")


async def find_companies_by_email(context: AppContext, email: str) -> list[TenantId]:
    """Return the companies that the person with this address belongs to."""
    async with context.database.system() as session:
        tenant_ids = await session.scalars(
            _SELECT_BY_EMAIL, {"email_key": normalise_email(email.strip())}
        )
        return list(tenant_ids)


async def find_company_name(context: AppContext, tenant_id: TenantId) -> str | None:
    """Return the company's name, which may be empty; None for an unknown company."""
    async with context.database.tenant(tenant_id) as session:
        name: str | None = await session.scalar(_SELECT_NAME, {"tenant_id": tenant_id})
        return name
