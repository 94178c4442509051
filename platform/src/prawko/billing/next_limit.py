"""The limit of the next period takes effect."""

from datetime import datetime

from prawko.billing.changes import By, check_change
from prawko.billing.notes import Note, note_text
from prawko.billing.price import period_price, zloty
from prawko.billing.renewal_repository import MAY_BEGIN
from prawko.billing.repository import SubscriptionRepository
from prawko_tenants.ids import SubscriptionId
from prawko_tenants.sessions import TenantSession


async def begin_next_limit(
    session: TenantSession, subscription_id: SubscriptionId, now: datetime
) -> bool:
    """Let the next limit hold if its time has come, with a row of history; says whether it did."""
    subscriptions = SubscriptionRepository(session)
    await subscriptions.lock_company()
    subscription = await subscriptions.lock(subscription_id)
    if subscription is None or subscription.next_limit is None:
        return False
    if subscription.next_limit_at is None or now < subscription.next_limit_at:
        return False
    if subscription.status not in MAY_BEGIN:
        return False
    status, limit = subscription.status, subscription.next_limit
    check_change(By.TIME, status, status, Note.LIMIT_CHANGED)
    subscription.driver_limit = limit
    subscription.price_net = zloty(period_price(limit).net)
    subscription.next_limit = subscription.next_limit_at = None
    note = note_text(Note.LIMIT_CHANGED, limit=limit)
    subscriptions.change_status(subscription, status, note, now)
    return True
