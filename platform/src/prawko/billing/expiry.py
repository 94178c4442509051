"""The end of a subscription: its status is saved, and its people are notified."""

from datetime import datetime

from prawko.billing.models import RenewalStepKind, Subscription
from prawko.billing.notices import expired_notice
from prawko.billing.repository import RenewalRepository, SubscriptionRepository
from prawko.billing.transitions import TransitionTrigger, expiry_event, transition
from prawko.kit.context import AppContext
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.publisher import publish_notices
from prawko_tenants.ids import SubscriptionId
from prawko_tenants.sessions import TenantSession


async def close_ended_subscription(
    session: TenantSession, context: AppContext, subscription_id: SubscriptionId
) -> bool:
    """Save the effective status of a subscription that has ended; whether this call did.

    If it is the company's current one, its people are notified. If it renews, its end is the
    closing step of its schedule.
    """
    now = context.clock.now()
    subscriptions = SubscriptionRepository(session)
    company = await subscriptions.lock_company()
    subscription = await subscriptions.lock(subscription_id)
    if subscription is None:
        return False
    status = subscription.status_at(now)
    if status == subscription.status:
        return False
    event = expiry_event(subscription)
    transition(session, subscription, TransitionTrigger.TIME, status, event, now)
    if subscription.is_trial:
        company.trial_ended = True
        company.updated_at = now
    await _notify_end(session, context, subscription, now)
    if subscription.auto_renews:
        await RenewalRepository(session).record_step(
            subscription, RenewalStepKind.CLOSING, None, now
        )
    return True


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
