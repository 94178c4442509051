"""Which company is meant: looked up by a person, for operators."""

from sqlalchemy import text

from prawko.accounts.addresses import email_key
from prawko.base.jobs import Tools
from prawko_tenants.ids import TenantId

_OF_A_PERSON = text("""
    SELECT m.tenant_id FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE u.email_key = :email_key ORDER BY m.tenant_id
""")
_NAME = text("SELECT company_name FROM tenant WHERE id = :tenant_id")


async def companies_of(tools: Tools, email: str) -> list[TenantId]:
    """The companies that the person with this address belongs to."""
    async with tools.database.system() as session:
        rows = await session.scalars(_OF_A_PERSON, {"email_key": email_key(email.strip())})
        return list(rows)


async def name_of(tools: Tools, tenant_id: TenantId) -> str | None:
    """The company's name, which may be empty; None where there is no such company."""
    async with tools.database.tenant(tenant_id) as session:
        name: str | None = await session.scalar(_NAME, {"tenant_id": tenant_id})
        return name
