"""The driver limits that a company's subscription entitles it to (docs/rules.md R4, R6)."""

from datetime import datetime

from prawko.billing.errors import SubscriptionRequiredError
from prawko.billing.models import SubscriptionStatus
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.state import effective_limit
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession


async def monitored_limit(session: TenantSession, now: datetime) -> int | None:
    """How many of the company's drivers are monitored; None if none are.

    In the grace period of a failed renewal they are, though the panel is closed.
    """
    subscription = await SubscriptionRepository(session).get_monitored(now)
    return None if subscription is None else effective_limit(subscription, now)


async def require_subscription(database: Database, tenant_id: TenantId, now: datetime) -> int:
    """Return how many drivers the company may have.

    Once for a request: the dependency `allowed_drivers` of the routes that need a subscription. It
    opens a transaction of its own, so that a request holds no connection while it counts limits,
    reads a table or queries the register. Raises SubscriptionRequiredError without an active
    subscription.
    """
    async with database.tenant(tenant_id) as session:
        subscription = await SubscriptionRepository(session).get_current()
    if subscription is None or subscription.status_at(now) is not SubscriptionStatus.ACTIVE:
        raise SubscriptionRequiredError
    return effective_limit(subscription, now)
