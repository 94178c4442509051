"""Validates what payment providers' plugins return; each function raises PluginValueError.

A value about another payment than the one asked about is refused: it would make an order paid by
another's money. A call whose value is refused here may have been carried out: its payment is
queried later.
"""

from datetime import timedelta

import msgspec

from prawko.hooks.payments import (
    Mandate,
    Money,
    NextAction,
    PaymentMethod,
    PaymentRef,
    ProviderPayment,
    Refund,
    is_valid_reference,
)
from prawko.hooks.urls import parse_secure_url
from prawko.kit.backoff import bounded_delay
from prawko.kit.providers.calls import PluginValueError, type_name
from prawko.kit.providers.returned_values import is_valid_id, validate_struct

MAX_EXACT_GROSZE = 2**53  # the largest integer that every JSON parser reads exactly
MAX_URL_LENGTH = 4000
MAX_TEXT_LENGTH = 300
# How soon a payment may expire, and how late.
SHORTEST_OPEN_TIME = timedelta(minutes=1)
LONGEST_OPEN_TIME = timedelta(days=30)


def validate_next_action(value: object, *, ref: PaymentRef) -> NextAction:
    """Return the payer's next step."""
    action = validate_struct(value, NextAction)
    _validate_ref(action.ref, ref)
    _validate_url(action.url)
    open_time = bounded_delay(
        action.expires_in_seconds, shortest=SHORTEST_OPEN_TIME, longest=LONGEST_OPEN_TIME
    )
    seconds = None if open_time is None else int(open_time.total_seconds())
    return msgspec.structs.replace(action, expires_in_seconds=seconds)


def validate_charge(value: object, *, ref: PaymentRef) -> ProviderPayment:
    """Return a payment that was charged, which cannot be None."""
    payment = validate_struct(value, ProviderPayment)
    _validate_ref(payment.ref, ref)
    _validate_url(payment.url)
    if not is_storable_amount(payment.money):
        raise PluginValueError("it returned an amount that is too large")
    mandate = payment.mandate
    if mandate is not None:
        mandate = Mandate(mandate.token, mandate.label[:MAX_TEXT_LENGTH])
    return msgspec.structs.replace(
        payment, mandate=mandate, reason=payment.reason[:MAX_TEXT_LENGTH]
    )


def validate_payment(value: object, *, ref: PaymentRef) -> ProviderPayment | None:
    """Return a payment as its provider knows it; None if it knows none."""
    return None if value is None else validate_charge(value, ref=ref)


def validate_refund(value: object) -> Refund:
    """Return the state of a refund."""
    return validate_struct(value, Refund)


def validate_methods(value: object) -> frozenset[PaymentMethod]:
    """Return the methods that a provider offers."""
    if not isinstance(value, set | frozenset):
        raise PluginValueError(f"it returned {type_name(value)} instead of a set")
    if not all(isinstance(method, PaymentMethod) for method in value):
        raise PluginValueError("it returned a method that there is not")
    return frozenset(value)


def is_storable_amount(money: Money) -> bool:
    """Return whether the database and every reader of it can hold an amount."""
    return money.grosze <= MAX_EXACT_GROSZE


def _validate_ref(ref: PaymentRef, asked: PaymentRef) -> None:
    """Raise PluginValueError for a reference that cannot be stored, or of another payment.

    Only our reference is compared: one payment has several ids at its provider, and a payer who
    pays twice makes two payments of one reference. A dispute is asked about without it.
    """
    if not (is_valid_reference(ref.reference) and is_valid_id(ref.provider_ref or "-")):
        raise PluginValueError("it returned a reference that cannot be stored")
    if asked.reference not in {"", ref.reference}:
        raise PluginValueError("it returned the reference of another payment")


def _validate_url(text: str | None) -> None:
    """Raise PluginValueError for a URL that no browser should be sent to.

    Payers enter secrets at their provider, so its page is encrypted, unless it is on this machine.
    """
    if text is not None and (parse_secure_url(text) is None or len(text) > MAX_URL_LENGTH):
        raise PluginValueError("it returned a URL that no browser can be sent to")
