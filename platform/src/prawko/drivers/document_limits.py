"""Limits how many documents a company has checked for the first time.

Each is a query of the register that no other limit covers. A company that repeatedly added and
removed drivers, or changed their numbers, would otherwise use the whole rate, and could try names.
"""

from prawko import limits
from prawko.kit.context import AppContext
from prawko_tenants.ids import TenantId


async def count_documents(
    context: AppContext, tenant_id: TenantId, driver_limit: int, number: int = 1
) -> None:
    """Count the drivers that a company adds, imports or edits, by what it may have.

    Called before the caller's session has taken a connection. More than the company may have
    count as that many: they are refused for another reason. Raises TooManyRequestsError.
    """
    limit = limits.new_documents(driver_limit)
    await context.throttle.hit(limit, str(tenant_id), number=min(number, driver_limit))
