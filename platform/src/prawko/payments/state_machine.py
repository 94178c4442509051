"""The state machine of a payment: a table of states and observations. Pure.

An observation is what the provider answers to a query, never the content of a webhook. So the
order and repetition of webhooks change nothing: the last answer is the current truth, a payment
that was received stays received, and a refund is final.
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
    MISMATCH = "mismatched"  # paid with another amount than requested


UNFINISHED_STATES = frozenset({PaymentRecordState.STARTING, PaymentRecordState.OPEN})


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


class Effect(StrEnum):
    """What is done beside storing the state."""

    NONE = "none"
    FULFIL = "fulfil"
    FAIL = "fail"  # the order handler learns of the failure
    EXPIRE = "expire"  # the same, because the time is over
    REVERSE = "reverse"  # the order handler learns of a refund; operators, if it is not theirs
    REPORT = "report"  # operators learn of a discrepancy


class Transition(msgspec.Struct, frozen=True):
    """The state after an observation, and its effect."""

    state: PaymentRecordState
    effect: Effect = Effect.NONE


# A payment may be unknown to its provider until the payer opens it; for an hour at most.
UNKNOWN_TIMEOUT = timedelta(hours=1)
POLL_INTERVAL = timedelta(minutes=15)
# For providers without a limit of their own (transfers).
MAX_OPEN_TIME = timedelta(days=30)
# A payment that was begun in time may end late, and its webhook may be lost.
RECHECK_DELAYS = (timedelta(hours=1), timedelta(hours=6), timedelta(days=1), timedelta(days=3))

_MISMATCHES = (Observation.WRONG_AMOUNT, Observation.WRONG_CURRENCY)

_FROM_UNFINISHED: dict[Observation, tuple[PaymentRecordState, Effect]] = {
    Observation.OPEN: (PaymentRecordState.OPEN, Effect.NONE),
    Observation.AUTHORIZED: (PaymentRecordState.OPEN, Effect.NONE),
    Observation.PAID: (PaymentRecordState.PAID, Effect.FULFIL),
    Observation.PAID_TWICE: (PaymentRecordState.PAID, Effect.FULFIL),
    **dict.fromkeys(_MISMATCHES, (PaymentRecordState.MISMATCH, Effect.REPORT)),
    Observation.FAILED: (PaymentRecordState.FAILED, Effect.FAIL),
    Observation.REFUNDED: (PaymentRecordState.REFUNDED, Effect.FAIL),
}


def _after_end(state: PaymentRecordState) -> dict[Observation, tuple[PaymentRecordState, Effect]]:
    """Return the transitions of an unpaid payment that is over: only money changes it."""
    return {
        Observation.UNKNOWN: (state, Effect.NONE),
        Observation.OPEN: (state, Effect.NONE),
        Observation.AUTHORIZED: (state, Effect.NONE),
        Observation.PAID: (PaymentRecordState.PAID, Effect.FULFIL),
        Observation.PAID_TWICE: (PaymentRecordState.PAID, Effect.FULFIL),
        **dict.fromkeys(_MISMATCHES, (PaymentRecordState.MISMATCH, Effect.REPORT)),
        Observation.FAILED: (state, Effect.NONE),
        Observation.REFUNDED: (PaymentRecordState.REFUNDED, Effect.NONE),
    }


TRANSITIONS: dict[PaymentRecordState, dict[Observation, tuple[PaymentRecordState, Effect]]] = {
    PaymentRecordState.STARTING: {
        Observation.UNKNOWN: (PaymentRecordState.STARTING, Effect.NONE),
        **_FROM_UNFINISHED,
    },
    PaymentRecordState.OPEN: {
        Observation.UNKNOWN: (PaymentRecordState.OPEN, Effect.NONE),
        **_FROM_UNFINISHED,
    },
    PaymentRecordState.FAILED: _after_end(PaymentRecordState.FAILED),
    PaymentRecordState.EXPIRED: _after_end(PaymentRecordState.EXPIRED),
    # A wrong amount may become the right one; the order handler knows of nothing so far.
    PaymentRecordState.MISMATCH: {
        **_after_end(PaymentRecordState.MISMATCH),
        Observation.FAILED: (PaymentRecordState.FAILED, Effect.FAIL),
        Observation.REFUNDED: (PaymentRecordState.REFUNDED, Effect.FAIL),
    },
    PaymentRecordState.PAID: {
        Observation.UNKNOWN: (PaymentRecordState.PAID, Effect.NONE),
        Observation.OPEN: (PaymentRecordState.PAID, Effect.NONE),
        Observation.AUTHORIZED: (PaymentRecordState.PAID, Effect.NONE),
        Observation.PAID: (PaymentRecordState.PAID, Effect.NONE),
        Observation.PAID_TWICE: (PaymentRecordState.PAID, Effect.REPORT),
        **dict.fromkeys(_MISMATCHES, (PaymentRecordState.PAID, Effect.REPORT)),
        Observation.FAILED: (PaymentRecordState.PAID, Effect.NONE),
        Observation.REFUNDED: (PaymentRecordState.REFUNDED, Effect.REVERSE),
    },
    # Final: an answer from before the refund may be applied after it.
    PaymentRecordState.REFUNDED: {
        **dict.fromkeys(Observation, (PaymentRecordState.REFUNDED, Effect.NONE)),
        Observation.PAID_TWICE: (PaymentRecordState.REFUNDED, Effect.REPORT),
    },
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
    return Transition(*TRANSITIONS[state][observation])


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
        return Transition(PaymentRecordState.FAILED, Effect.FAIL)
    is_unpaid = transition.state is PaymentRecordState.FAILED or observation in {
        Observation.UNKNOWN,
        Observation.OPEN,
    }
    if is_unpaid and is_payment_expired(state, expires_at, now):
        return Transition(PaymentRecordState.EXPIRED, Effect.EXPIRE)
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
