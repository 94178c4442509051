"""Limits how many documents a company has checked for the first time.

Each is a query of the register that no other limit bounds: whoever added and removed drivers, or
changed their numbers, again and again would have the whole rate, and could try names.
"""

from prawko.base.context import AppContext
from prawko.base.rate_limit import Throttle
from prawko.billing.subscription.entitlements import require_subscription
from prawko.drivers.rate_limits import new_documents
from prawko_tenants.ids import TenantId


class DocumentLimiter:
    """Counts the drivers that a company adds, imports or edits, by what it may have."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._throttle = Throttle(context.database, context.key_ring)

    async def count(self, tenant_id: TenantId, number: int = 1) -> None:
        """Count drivers, before the caller's session has taken a connection.

        More than the company may have count as that many: they are refused for another reason.
        Raises SubscriptionRequiredError and TooManyRequestsError.
        """
        async with self._context.database.tenant(tenant_id) as session:
            limit = await require_subscription(session, self._context.clock.now())
        await self._throttle.hit(new_documents(limit), str(tenant_id), number=min(number, limit))
