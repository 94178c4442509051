"""The state of a subscription at an instant, and what it entitles a company to.

Rules R4 and R6 of docs/rules.md. `transitions` lists the changes of the status.
"""

from datetime import datetime
from enum import StrEnum

from prawko.billing.errors import SubscriptionRequiredError
from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.billing.periods import ActivePeriod
from prawko.billing.repository import SubscriptionRepository
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession


class Lifecycle(StrEnum):
    """The state of a company's paid subscription."""

    NEW = "new"  # none, a trial, or a cancelled one that has ended
    ACTIVE = "active"  # a paid period is active
    LAPSED = "lapsed"  # the last paid period ended without being cancelled
    SUSPENDED = "suspended"  # an operator has closed it; only an operator reopens it


def lifecycle_of(subscription: Subscription | None, now: datetime) -> Lifecycle:
    """The lifecycle of the current subscription.

    Status `cancelled` is the customer's only after the end and with `cancelled_at`; otherwise an
    operator has set it.
    """
    if subscription is None:
        return Lifecycle.NEW
    status = subscription.status_at(now)
    if status is SubscriptionStatus.INACTIVE:
        return Lifecycle.SUSPENDED
    if status is SubscriptionStatus.CANCELLED:
        by_customer = subscription.cancelled_at is not None and subscription.end_date <= now
        return Lifecycle.NEW if by_customer else Lifecycle.SUSPENDED
    if subscription.is_trial or status is SubscriptionStatus.TRIAL:
        return Lifecycle.NEW
    return Lifecycle.ACTIVE if status is SubscriptionStatus.ACTIVE else Lifecycle.LAPSED


def active_period(subscription: Subscription | None, now: datetime) -> ActivePeriod | None:
    """The active paid period, with the limit effective at `now`; None if there is none."""
    if subscription is None or lifecycle_of(subscription, now) is not Lifecycle.ACTIVE:
        return None
    limit, scheduled_at = effective_limit(subscription, now), subscription.scheduled_limit_at
    if scheduled_at is None or scheduled_at <= now:
        return ActivePeriod(limit=limit, end=subscription.end_date)
    return ActivePeriod(
        limit=limit,
        end=subscription.end_date,
        scheduled_limit=subscription.scheduled_limit,
        scheduled_at=scheduled_at,
    )


def effective_limit(subscription: Subscription, now: datetime) -> int:
    """The driver limit at `now`, whether or not the job has applied a scheduled one."""
    scheduled_at = subscription.scheduled_limit_at
    if subscription.scheduled_limit is None or scheduled_at is None or now < scheduled_at:
        return subscription.driver_limit
    return subscription.scheduled_limit


def current_end(subscription: Subscription | None, now: datetime) -> datetime | None:
    """The end of the active subscription or trial, from which a further period counts.

    None if none is active: the period counts from now.
    """
    if subscription is None:
        return None
    status = subscription.status_at(now)
    return subscription.end_date if status is SubscriptionStatus.ACTIVE else None


def apply_period(subscription: Subscription, period: ActivePeriod, now: datetime) -> None:
    """Save the period on the subscription, and the end of monitoring that follows from it."""
    subscription.driver_limit = period.limit
    subscription.end_date = period.end
    subscription.scheduled_limit = period.scheduled_limit
    subscription.scheduled_limit_at = period.scheduled_at
    subscription.set_monitored_until(now)


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
