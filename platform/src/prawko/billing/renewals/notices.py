"""Notices of a renewal's steps, each sent once."""

from collections.abc import Mapping
from datetime import datetime

from prawko.billing.models import RenewalStep, RenewalStepKind, Subscription
from prawko.billing.renewals.schedule import next_charge_at
from prawko.billing.subscription.reminders import period_key
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.payloads import CompanyPayload, PaymentPayload
from prawko.notifications.publisher import NoticeDraft
from prawko.payments.mandate_charges import NOT_CHARGEABLE
from prawko.payments.models import Payment
from prawko.payments.state_machine import PaymentRecordState

# Only after one of these another charge may be made, so that no customer is charged twice.
FAILED_PAYMENT_STATES = frozenset({PaymentRecordState.FAILED, PaymentRecordState.EXPIRED})


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
