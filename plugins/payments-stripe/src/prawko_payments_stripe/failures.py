"""Stripe's refusals in the words that all plugins share.

Its sentences are left out: they quote e-mail addresses. A request's id finds them on its pages.
"""

import stripe

from prawko.hooks.client_session import retry_after
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import PaymentError
from prawko_payments_stripe.machine_clock import machine_now

CONSENT = "authentication_required"
MISSING = "resource_missing"
EMAIL = "customer_email"
METHODS = "allowed_payment_method_types"
# A refund that is impossible for good. Of more than is left, Stripe names the amount alone.
REFUSED_REFUNDS = frozenset({
    "amount_too_large", "charge_already_refunded", "charge_disputed",
    "charge_not_refundable", "refund_disputed_payment",
})  # fmt: skip
NO_MONEY = frozenset({"balance_insufficient", "insufficient_funds"})


class RejectedRequestError(Exception):
    """Stripe cannot make sense of what we sent: a mistake of ours, and nobody's fault."""

    def __init__(self, reason: str, *, code: str | None = None, param: str | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.param = param

    @property
    def is_missing(self) -> bool:
        """Whether something that we named does not exist, or does no longer."""
        return self.code == MISSING


class ConsentNeededError(Exception):
    """The holder of a saved card must be asked before it can be charged."""


def failure(error: stripe.StripeError) -> Exception:
    """What an error of the SDK means to us."""
    words = said(error)
    if error.http_status in {401, 403}:
        return AccountError(words)
    if isinstance(error, stripe.CardError):
        if CONSENT in {error.code, _declined(error)}:
            return ConsentNeededError(words)
        return PaymentError(words, permanent=True)
    if isinstance(error, stripe.InvalidRequestError):
        return _rejected(error, words)
    if isinstance(error, stripe.IdempotencyError):
        return RejectedRequestError(words)
    wait = retry_after((error.headers or {}).get("retry-after"), now=machine_now())
    return PaymentError(words, retry_after=wait)


def said(error: stripe.StripeError) -> str:
    """An error for a log: its status, its codes and the request's id."""
    if isinstance(error, stripe.APIConnectionError):
        return error.user_message or "no answer"
    param = error.param if isinstance(error, stripe.InvalidRequestError) else None
    codes = [error.code, _declined(error), param, error.request_id]
    return " ".join([f"Stripe said {error.http_status}", *(code for code in codes if code)])


def _declined(error: stripe.StripeError) -> str | None:
    found: object = getattr(error.error, "decline_code", None)
    return found if isinstance(found, str) else None


def _rejected(error: stripe.InvalidRequestError, words: str) -> Exception:
    param = error.param or ""
    if param == EMAIL:
        return PaymentError(words, permanent=True)
    if param.startswith(METHODS):
        return AccountError(f"a method is not switched on: {words}")
    return RejectedRequestError(words, code=error.code, param=param)
