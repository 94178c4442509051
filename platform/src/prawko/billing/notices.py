"""Notices before and at a subscription's end, and of its renewal's steps; each is sent once.

Days are Warsaw calendar days. Only the current subscription has notices: a trial that a paid
subscription has replaced ends without one.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec

from prawko.billing.models import RenewalStep, RenewalStepKind, Subscription
from prawko.billing.renewal_schedule import next_charge_at
from prawko.kit.clock import warsaw_date
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.expiry import reached_threshold
from prawko.notifications.payloads import CompanyPayload, PaymentPayload, SubscriptionPayload
from prawko.notifications.publisher import NoticeDraft
from prawko.payments.mandate_charges import NOT_CHARGEABLE
from prawko.payments.models import Payment
from prawko.payments.state_machine import PaymentRecordState

TRIAL_REMINDER_DAYS = (2, 1)
SUBSCRIPTION_REMINDER_DAYS = (7, 2)
MAX_REMINDER_DAYS = max(*TRIAL_REMINDER_DAYS, *SUBSCRIPTION_REMINDER_DAYS)
# Only after one of these another charge may be made, so that no customer is charged twice.
FAILED_PAYMENT_STATES = frozenset({PaymentRecordState.FAILED, PaymentRecordState.EXPIRED})


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
    `final_notice` is the notice then. Else it names when checks stopped, which a
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


def charge_notice(
    subscription: Subscription,
    charge: RenewalStep,
    payment: Payment | None,
    completed: Mapping[RenewalStepKind, datetime],
    *,
    gross: int,
) -> NoticeDraft | None:
    """The notice of a failed charge, or of one that needs the payer's consent; None for others.

    `payment` is None if there was no mandate to charge; the notice then has `gross`, the price of
    the next period in grosze.
    """
    if payment is not None and payment.reason == NOT_CHARGEABLE:
        return None  # abandoned before the charge, because the customer cancelled
    failed = payment is None or payment.state in FAILED_PAYMENT_STATES
    url = (
        "" if payment is None or payment.state is not PaymentRecordState.OPEN else payment.url or ""
    )
    if not failed and not url:
        return None
    end = subscription.end_date
    return NoticeDraft(
        kind=NoticeKind.PAYMENT_FAILED if failed else NoticeKind.PAYMENT_CONSENT,
        dedup_key=f"{period_key(subscription.id, end)} {charge.step}",
        payload=PaymentPayload(
            gross=gross if payment is None else payment.money.grosze,
            tried_at=charge.taken_at,
            ends_at=end,
            next_try_at=next_charge_at(end, completed) if failed else None,
            company=subscription.company_name,
            url=url,
        ),
    )


def final_notice(subscription: Subscription) -> NoticeDraft:
    """The notice at the end of the grace period: drivers are no longer monitored."""
    return NoticeDraft(
        kind=NoticeKind.CHECKING_STOPPED,
        dedup_key=period_key(subscription.id, subscription.end_date),
        payload=CompanyPayload(since=subscription.monitored_until),
    )


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
