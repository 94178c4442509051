"""Notices of a subscription's end: reminders before it, and one at it.

Days are Warsaw calendar days. Only the current subscription has notices: a trial that a paid
subscription has replaced ends without one.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.base.clock import warsaw_date
from prawko.billing.models import Subscription
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.expiry import reached_threshold
from prawko.notifications.payloads import SubscriptionPayload
from prawko.notifications.publisher import NoticeDraft

TRIAL_REMINDER_DAYS = (2, 1)
SUBSCRIPTION_REMINDER_DAYS = (7, 2)
MAX_REMINDER_DAYS = max(*TRIAL_REMINDER_DAYS, *SUBSCRIPTION_REMINDER_DAYS)


def expiry_reminder(
    subscription: Subscription, company_name: str, now: datetime
) -> NoticeDraft | None:
    """The reminder due at `now` for an active subscription; None if none is due.

    2 days and 1 day before the end of a trial, 7 and 2 days before that of a subscription that
    does not renew. Of several missed reminders only the last is sent.
    """
    if now >= subscription.end_date or subscription.auto_renews:
        return None
    days = (warsaw_date(subscription.end_date) - warsaw_date(now)).days
    thresholds = TRIAL_REMINDER_DAYS if subscription.is_trial else SUBSCRIPTION_REMINDER_DAYS
    threshold = reached_threshold(days, thresholds)
    if threshold is None:
        return None
    kind = NoticeKind.TRIAL_ENDING if subscription.is_trial else NoticeKind.SUBSCRIPTION_ENDING
    return NoticeDraft(
        kind=kind,
        dedup_key=f"{period_key(subscription.id, subscription.end_date)} {threshold}",
        payload=_payload(subscription, company_name, days),
    )


def expired_notice(
    subscription: Subscription, company_name: str, now: datetime
) -> NoticeDraft | None:
    """The notice of the end: once for each end.

    After a failed renewal it says that the grace period has started. None once that is over:
    `renewals.notices.final_notice` is the notice then. Else it names when checks stopped, which a
    change after the end may have done.
    """
    payload = _payload(subscription, company_name, 0)
    if subscription.auto_renews:
        if now >= subscription.monitored_until:
            return None
        kind = NoticeKind.GRACE_STARTED
        payload = msgspec.structs.replace(payload, monitored_until=subscription.monitored_until)
    else:
        kind = NoticeKind.TRIAL_ENDED if subscription.is_trial else NoticeKind.SUBSCRIPTION_ENDED
        payload = msgspec.structs.replace(payload, ends_at=subscription.monitored_until)
    key = period_key(subscription.id, subscription.end_date)
    return NoticeDraft(kind=kind, dedup_key=key, payload=payload)


def period_key(subscription_id: UUID, end_date: datetime) -> str:
    """A key for one end of a subscription, which changes when the subscription is extended."""
    return f"{subscription_id} {end_date.isoformat()}"


def _payload(subscription: Subscription, company_name: str, days: int) -> SubscriptionPayload:
    return SubscriptionPayload(
        ends_at=subscription.end_date,
        driver_limit=subscription.driver_limit,
        days=days,
        company=company_name,
    )
