"""What a company may do by its subscription: asked by whatever costs a subscription."""

from datetime import datetime

from prawko.billing.errors import SubscriptionRequiredError
from prawko.billing.overview import is_checked, status_at
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.standing import limit_at
from prawko.billing.status import Status
from prawko_tenants.sessions import TenantSession


async def driver_limit(session: TenantSession, now: datetime) -> int | None:
    """How many drivers the company may keep; None without an active subscription (R4, R6)."""
    subscription = await SubscriptionRepository(session).current()
    if subscription is None or status_at(subscription, now) is not Status.ACTIVE:
        return None
    return limit_at(subscription, now)


async def checked_limit(session: TenantSession, now: datetime) -> int | None:
    """How many of the company's drivers are checked; None where nobody checks any.

    In the grace of a failed renewal checks go on behind a closed panel (reading R6).
    """
    subscription = await SubscriptionRepository(session).current()
    if subscription is None or not is_checked(subscription, now):
        return None
    return limit_at(subscription, now)


async def require_subscription(session: TenantSession, now: datetime) -> int:
    """The driver limit. Raises SubscriptionRequiredError without an active subscription."""
    limit = await driver_limit(session, now)
    if limit is None:
        raise SubscriptionRequiredError
    return limit
