"""The state machine of a payment: a table of states and observations. Pure.

An observation is what the provider answers to a query, never the content of a webhook. So the
order and repetition of webhooks change nothing: the latest answer holds, a payment that was
received can only be refunded, and a refund is final.
"""

from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from prawko.hooks.payments import Money, PaymentState, ProviderPayment


class PaymentRecordState(StrEnum):
    """The state of a payment. Stored permanently."""

    STARTING = "starting"  # stored; may not have reached the provider
    OPEN = "open"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"  # not paid in time; a late payment still counts
    REFUNDED = "refunded"
    MISMATCH = "mismatched"  # paid with another amount, or disputed before we knew it paid


UNFINISHED_STATES = frozenset({PaymentRecordState.STARTING, PaymentRecordState.OPEN})
# The order handler has been notified neither of money nor of a failure.
UNDECIDED_STATES = UNFINISHED_STATES | {PaymentRecordState.MISMATCH}
# The money arrived, whether or not it was returned.
PAID_STATES = frozenset({PaymentRecordState.PAID, PaymentRecordState.REFUNDED})
FAILED_STATES = frozenset(
    {
        PaymentRecordState.FAILED,
        PaymentRecordState.EXPIRED,
        PaymentRecordState.REFUNDED,
    }
)


class Observation(StrEnum):
    """The provider's answer, compared with what was requested."""

    UNKNOWN = "unknown"  # it knows no such payment, or not yet
    OPEN = "open"
    AUTHORIZED = "authorized"  # the right amount waits to be captured
    PAID = "paid"  # the right amount was captured
    PAID_TWICE = "paid_twice"  # the same, by another payment than the known one
    WRONG_AMOUNT = "wrong_amount"
    WRONG_CURRENCY = "wrong_currency"
    FAILED = "failed"
    REFUNDED = "refunded"
    DISPUTED = "disputed"  # a chargeback


class Transition(msgspec.Struct, frozen=True):
    """The state after an observation, and whether the observation is a discrepancy.

    A discrepancy has the observation's name as its kind. The change of the state determines what
    the order handler is notified of.
    """

    state: PaymentRecordState
    is_discrepancy: bool = False


# A payment may be unknown to its provider until the payer opens it; for an hour at most.
UNKNOWN_TIMEOUT = timedelta(hours=1)
POLL_INTERVAL = timedelta(minutes=15)
# For providers without a limit of their own (transfers).
MAX_OPEN_TIME = timedelta(days=30)
# A payment that was begun in time may end late, and its webhook may be lost.
RECHECK_DELAYS = (timedelta(hours=1), timedelta(hours=6), timedelta(days=1), timedelta(days=3))

# What any payment that is not paid may still become.
_PAYABLE = {
    Observation.PAID: Transition(PaymentRecordState.PAID),
    Observation.PAID_TWICE: Transition(PaymentRecordState.PAID),
    Observation.WRONG_AMOUNT: Transition(PaymentRecordState.MISMATCH, is_discrepancy=True),
    Observation.WRONG_CURRENCY: Transition(PaymentRecordState.MISMATCH, is_discrepancy=True),
    Observation.REFUNDED: Transition(PaymentRecordState.REFUNDED),
    Observation.DISPUTED: Transition(PaymentRecordState.MISMATCH, is_discrepancy=True),
}
_FAILABLE = {
    **_PAYABLE,
    Observation.FAILED: Transition(PaymentRecordState.FAILED),
    Observation.REFUNDED: Transition(PaymentRecordState.REFUNDED),
}
_UNFINISHED = {
    **_FAILABLE,
    Observation.OPEN: Transition(PaymentRecordState.OPEN),
    Observation.AUTHORIZED: Transition(PaymentRecordState.OPEN),
}
# All other observations change nothing.
_CHANGES: dict[PaymentRecordState, dict[Observation, Transition]] = {
    PaymentRecordState.STARTING: _UNFINISHED,
    PaymentRecordState.OPEN: _UNFINISHED,
    PaymentRecordState.FAILED: _PAYABLE,
    PaymentRecordState.EXPIRED: _PAYABLE,
    # A wrong amount may become the right one; the order handler knows of nothing so far.
    PaymentRecordState.MISMATCH: _FAILABLE,
    PaymentRecordState.PAID: {
        Observation.PAID_TWICE: Transition(PaymentRecordState.PAID, is_discrepancy=True),
        Observation.WRONG_AMOUNT: Transition(PaymentRecordState.PAID, is_discrepancy=True),
        Observation.WRONG_CURRENCY: Transition(PaymentRecordState.PAID, is_discrepancy=True),
        Observation.REFUNDED: Transition(PaymentRecordState.REFUNDED),
        Observation.DISPUTED: Transition(PaymentRecordState.PAID, is_discrepancy=True),
    },
    # Final: an answer from before the refund may be applied after it.
    PaymentRecordState.REFUNDED: {
        Observation.PAID_TWICE: Transition(PaymentRecordState.REFUNDED, is_discrepancy=True)
    },
}
TRANSITIONS = {
    state: dict.fromkeys(Observation, Transition(state)) | changes
    for state, changes in _CHANGES.items()
}


def classify_payment(
    provider_payment: ProviderPayment | None, expected: Money, known_provider_ref: str | None
) -> Observation:
    """Return the observation; `known_provider_ref` is the id of the payment received so far."""
    if provider_payment is None:
        return Observation.UNKNOWN
    if provider_payment.state in {PaymentState.AUTHORIZED, PaymentState.PAID}:
        if provider_payment.money.currency != expected.currency:
            return Observation.WRONG_CURRENCY
        if provider_payment.money.grosze != expected.grosze:
            return Observation.WRONG_AMOUNT
    if (
        provider_payment.state is PaymentState.PAID
        and known_provider_ref
        and provider_payment.ref.provider_ref not in {None, known_provider_ref}
    ):
        return Observation.PAID_TWICE
    return Observation(provider_payment.state.value)


def decide_transition(state: PaymentRecordState, observation: Observation) -> Transition:
    """Return the transition of an observation, regardless of time."""
    return TRANSITIONS[state][observation]


def decide_scheduled_transition(
    state: PaymentRecordState,
    observation: Observation,
    *,
    created_at: datetime,
    expires_at: datetime | None,
    now: datetime,
) -> Transition:
    """Return the transition of an observation by polling, which also ends overdue payments."""
    transition = decide_transition(state, observation)
    if transition.state is PaymentRecordState.STARTING and now >= created_at + UNKNOWN_TIMEOUT:
        return Transition(PaymentRecordState.FAILED)
    is_unpaid = transition.state is PaymentRecordState.FAILED or observation in {
        Observation.UNKNOWN,
        Observation.OPEN,
    }
    if is_unpaid and is_payment_expired(state, expires_at, now):
        return Transition(PaymentRecordState.EXPIRED)
    return transition


def is_payment_expired(
    state: PaymentRecordState, expires_at: datetime | None, now: datetime
) -> bool:
    """Return whether the time to pay is over."""
    return state is PaymentRecordState.OPEN and expires_at is not None and now >= expires_at


def next_poll_at(
    state: PaymentRecordState,
    *,
    expires_at: datetime | None,
    finished_at: datetime | None,
    now: datetime,
    can_query_status: bool = True,
) -> datetime | None:
    """Return when to query the provider next; None for never.

    Every 15 minutes until the payment ends, and at its expiry; an unpaid one for some more days,
    because the webhook of a late payment may be lost. A provider without status queries is due
    at the expiry only.
    """
    if state in UNFINISHED_STATES:
        due = now + POLL_INTERVAL
        if expires_at is None:
            return due
        expires_first = now < expires_at < due
        only_at_expiry = not can_query_status and due < expires_at
        return expires_at if expires_first or only_at_expiry else due
    if not can_query_status:
        return None
    if state in {PaymentRecordState.EXPIRED, PaymentRecordState.FAILED} and finished_at is not None:
        return next((at for delay in RECHECK_DELAYS if (at := finished_at + delay) > now), None)
    return None
