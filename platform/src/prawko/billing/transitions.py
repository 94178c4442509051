"""The allowed transitions of a subscription's status, and the history notes (docs/rules.md P27).

Only operators change a status that an operator set, inactive or cancelled; a payment for such a
subscription becomes a discrepancy (R23). A trial is a separate subscription (R3), and so is a
period that a company orders after a cancelled one has ended: both start without an old status.
Status `trial` is never written, but an operator may change it.
"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from prawko.billing.models import Subscription, SubscriptionHistory, SubscriptionStatus
from prawko.kit.text.i18n import Language, translate
from prawko_tenants.sessions import BatchSession, TenantSession


class HistoryEvent(StrEnum):
    """The events of the history (P24); their texts are under `billing.notices`."""

    TRIAL_STARTED = "trial_started"
    TRIAL_ENDED = "trial_ended"
    PAID = "paid"
    PROLONGED = "prolonged"
    PAID_AFTER_END = "paid_after_end"
    LIMIT_RAISED = "limit_raised"
    LIMIT_COVERED = "limit_covered"
    LIMIT_LOWERED = "limit_lowered"
    LIMIT_CHANGED = "limit_changed"
    CANCELLED = "cancelled"
    RESUMED = "resumed"
    ENDED = "ended"
    ENDED_AFTER_CANCELLING = "ended_after_cancelling"
    RENEWAL_FAILED = "renewal_failed"
    RENEWAL_STOPPED = "renewal_stopped"
    SET_BY_OPERATOR = "set_by_operator"


def describe_event(event: HistoryEvent, **params: object) -> str:
    """The history note of an event, in Polish: it is stored once, for operators.

    Limit events take `limit`; cancelling takes `until`, a Warsaw date.
    """
    return translate(f"billing.notes.{event}", Language.PL, **params)


def expiry_event(subscription: Subscription) -> HistoryEvent:
    """The history event of the end; a renewing subscription ends because its renewal failed."""
    if subscription.is_trial:
        return HistoryEvent.TRIAL_ENDED
    if subscription.cancelled_at is not None:
        return HistoryEvent.ENDED_AFTER_CANCELLING
    return HistoryEvent.RENEWAL_FAILED if subscription.auto_renews else HistoryEvent.ENDED


class TransitionTrigger(StrEnum):
    """The causes of a transition."""

    CUSTOMER = "customer"
    PAYMENT = "payment"  # confirmed by the provider, or a transfer recorded by an operator
    TIME = "time"  # an end or a scheduled limit
    OPERATOR = "operator"


class InvalidTransitionError(ValueError):
    """The transition is not in `TRANSITIONS`; nothing was changed."""


TransitionKey = tuple[
    TransitionTrigger, SubscriptionStatus | None, SubscriptionStatus, HistoryEvent
]

_ACTIVE, _EXPIRED = SubscriptionStatus.ACTIVE, SubscriptionStatus.EXPIRED
_CANCELLED, _INACTIVE = SubscriptionStatus.CANCELLED, SubscriptionStatus.INACTIVE

TRANSITIONS: frozenset[TransitionKey] = frozenset(
    {
        (TransitionTrigger.CUSTOMER, None, _ACTIVE, HistoryEvent.TRIAL_STARTED),
        # Cancelling and resuming change what happens at the end; access stays (R5).
        (TransitionTrigger.CUSTOMER, _ACTIVE, _ACTIVE, HistoryEvent.CANCELLED),
        (TransitionTrigger.CUSTOMER, _ACTIVE, _ACTIVE, HistoryEvent.RESUMED),
        (TransitionTrigger.CUSTOMER, _ACTIVE, _ACTIVE, HistoryEvent.LIMIT_LOWERED),
        (TransitionTrigger.CUSTOMER, _ACTIVE, _ACTIVE, HistoryEvent.LIMIT_COVERED),
        # Cancelling in the grace period of a failed renewal ends its charges.
        (TransitionTrigger.CUSTOMER, _EXPIRED, _EXPIRED, HistoryEvent.CANCELLED),
        (TransitionTrigger.PAYMENT, None, _ACTIVE, HistoryEvent.PAID),
        (TransitionTrigger.PAYMENT, _ACTIVE, _ACTIVE, HistoryEvent.PROLONGED),
        (TransitionTrigger.PAYMENT, _ACTIVE, _ACTIVE, HistoryEvent.LIMIT_RAISED),
        (TransitionTrigger.PAYMENT, _EXPIRED, _ACTIVE, HistoryEvent.PAID_AFTER_END),
        # The payer disputes a payment at the bank; in any status, and none changes by it.
        *(
            (TransitionTrigger.PAYMENT, status, status, HistoryEvent.RENEWAL_STOPPED)
            for status in SubscriptionStatus
        ),
        # The scheduled limit takes effect, also in the grace period.
        (TransitionTrigger.TIME, _ACTIVE, _ACTIVE, HistoryEvent.LIMIT_CHANGED),
        (TransitionTrigger.TIME, _EXPIRED, _EXPIRED, HistoryEvent.LIMIT_CHANGED),
        (TransitionTrigger.TIME, _ACTIVE, _EXPIRED, HistoryEvent.TRIAL_ENDED),
        (TransitionTrigger.TIME, _ACTIVE, _EXPIRED, HistoryEvent.ENDED),
        (TransitionTrigger.TIME, _ACTIVE, _EXPIRED, HistoryEvent.RENEWAL_FAILED),
        (TransitionTrigger.TIME, _ACTIVE, _CANCELLED, HistoryEvent.TRIAL_ENDED),
        (TransitionTrigger.TIME, _ACTIVE, _CANCELLED, HistoryEvent.ENDED_AFTER_CANCELLING),
        *(
            (TransitionTrigger.OPERATOR, old, new, HistoryEvent.SET_BY_OPERATOR)
            for old in (None, *SubscriptionStatus)
            for new in (_ACTIVE, _INACTIVE, _CANCELLED)
        ),
        # Another limit or end of a subscription that is over.
        (TransitionTrigger.OPERATOR, _EXPIRED, _EXPIRED, HistoryEvent.SET_BY_OPERATOR),
    }
)


def ensure_transition_allowed(
    trigger: TransitionTrigger, old_status: str | None, new_status: str, event: HistoryEvent
) -> None:
    """Raise InvalidTransitionError unless `TRANSITIONS` has this transition with this event.

    `old_status` is the stored one, None for a new subscription.
    """
    key = (
        trigger,
        None if old_status is None else SubscriptionStatus(old_status),
        SubscriptionStatus(new_status),
        event,
    )
    if key not in TRANSITIONS:
        raise InvalidTransitionError(
            f"{trigger} may not change {old_status} into {new_status} ({event})"
        )


async def create_subscription(
    session: TenantSession | BatchSession,
    subscription: Subscription,
    trigger: TransitionTrigger,
    event: HistoryEvent,
    *,
    order_id: UUID | None = None,
) -> None:
    """Insert a new subscription with the first row of its history; `order_id` paid for it.

    Raises InvalidTransitionError.
    """
    ensure_transition_allowed(trigger, None, subscription.status, event)
    session.add(subscription)
    await session.flush()
    session.add(
        SubscriptionHistory(
            subscription_id=subscription.id,
            changed_at=subscription.created_at,
            new_status=subscription.status,
            new_end_date=subscription.end_date,
            note=describe_event(event),
            order_id=order_id,
        )
    )


def transition(
    session: TenantSession | BatchSession,
    subscription: Subscription,
    trigger: TransitionTrigger,
    new_status: str,
    event: HistoryEvent,
    now: datetime,
    *,
    end: datetime | None = None,
    order_id: UUID | None = None,
    **params: object,
) -> None:
    """Change the status, and the end if one is given, and add the history row of the event.

    `order_id` is the paid order that causes it, `params` are those of `describe_event`. Raises
    InvalidTransitionError and changes nothing.
    """
    ensure_transition_allowed(trigger, subscription.status, new_status, event)
    new_end = subscription.end_date if end is None else end
    session.add(
        SubscriptionHistory(
            subscription_id=subscription.id,
            changed_at=now,
            old_status=subscription.status,
            new_status=new_status,
            old_end_date=subscription.end_date,
            new_end_date=new_end,
            note=describe_event(event, **params),
            order_id=order_id,
        )
    )
    subscription.status = new_status
    subscription.end_date = new_end
    subscription.updated_at = now
