"""Time-driven changes of a subscription: expiry, and the scheduled limit."""

from datetime import datetime

from prawko.base.context import AppContext
from prawko.billing.models import RENEWABLE_STATUSES, Subscription
from prawko.billing.subscription.reminders import expired_notice
from prawko.billing.subscription.repository import SubscriptionRepository
from prawko.billing.subscription.transitions import (
    HistoryEvent,
    TransitionTrigger,
    expiry_event,
    transition,
)
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.publisher import publish_notices
from prawko_tenants.ids import SubscriptionId
from prawko_tenants.sessions import TenantSession


async def apply_scheduled_limit(
    session: TenantSession, subscription_id: SubscriptionId, now: datetime
) -> bool:
    """Apply the scheduled limit if it is due, with a history row; whether this call did."""
    subscriptions = SubscriptionRepository(session)
    await subscriptions.lock_company()
    subscription = await subscriptions.lock(subscription_id)
    if subscription is None or subscription.scheduled_limit is None:
        return False
    if subscription.scheduled_limit_at is None or now < subscription.scheduled_limit_at:
        return False
    if subscription.status not in RENEWABLE_STATUSES:
        return False
    limit = subscription.scheduled_limit
    transition(
        session,
        subscription,
        TransitionTrigger.TIME,
        subscription.status,
        HistoryEvent.LIMIT_CHANGED,
        now,
        limit=limit,
    )
    subscription.driver_limit = limit
    subscription.scheduled_limit = subscription.scheduled_limit_at = None
    return True


async def expire_if_ended(
    session: TenantSession, context: AppContext, subscription_id: SubscriptionId
) -> Subscription | None:
    """Save the effective status of a subscription that has ended, and return it; else None.

    If it is the company's current one, its people are notified.
    """
    now = context.clock.now()
    subscriptions = SubscriptionRepository(session)
    company = await subscriptions.lock_company()
    subscription = await subscriptions.lock(subscription_id)
    if subscription is None:
        return None
    status = subscription.status_at(now)
    if status == subscription.status:
        return None
    event = expiry_event(subscription)
    transition(session, subscription, TransitionTrigger.TIME, status, event, now)
    if subscription.is_trial:
        company.trial_ended = True
        company.updated_at = now
    await _notify_end(session, context, subscription, now)
    return subscription


async def _notify_end(
    session: TenantSession, context: AppContext, subscription: Subscription, now: datetime
) -> None:
    company, current = await SubscriptionRepository(session).get_company_and_current()
    if current is None or current.id != subscription.id:
        return
    notice = expired_notice(subscription, company.company_name, now)
    if notice is not None:
        policy = ChannelPolicy.from_settings(context.settings)
        await publish_notices(session, session.tenant_id, [notice], policy=policy, now=now)
