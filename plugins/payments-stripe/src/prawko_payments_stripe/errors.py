"""Translates errors of Stripe's SDK to the errors that all providers share.

Stripe's messages are left out because they quote e-mail addresses; its dashboard shows them for
the request's id.
"""

import stripe

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import parse_retry_after
from prawko.hooks.payments import PaymentError
from prawko_payments_stripe.clock import utc_now

AUTHENTICATION_REQUIRED = "authentication_required"
RESOURCE_MISSING = "resource_missing"
EMAIL_PARAM = "customer_email"
METHODS_PARAM = "allowed_payment_method_types"
# Permanent errors of a refund. For an amount above the rest, Stripe names only the parameter.
FINAL_REFUND_ERRORS = frozenset({
    "amount_too_large", "charge_already_refunded", "charge_disputed",
    "charge_not_refundable", "refund_disputed_payment",
})  # fmt: skip
INSUFFICIENT_FUNDS = frozenset({"balance_insufficient", "insufficient_funds"})


class StripeRequestError(Exception):
    """Stripe refused our request as invalid: a bug of this plugin, not the payer's fault."""

    def __init__(self, reason: str, *, code: str | None = None, param: str | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.param = param

    @property
    def is_missing(self) -> bool:
        """Whether an object that the request names does not exist, or no longer."""
        return self.code == RESOURCE_MISSING


class AuthenticationRequiredError(Exception):
    """The holder of a saved card must consent before it can be charged."""


def translate_error(error: stripe.StripeError) -> Exception:
    """Return the error for an exception of the SDK."""
    summary = describe_error(error)
    if error.http_status in {401, 403}:
        return ProviderAccountError(summary)
    if isinstance(error, stripe.CardError):
        if AUTHENTICATION_REQUIRED in {error.code, _decline_code(error)}:
            return AuthenticationRequiredError(summary)
        return PaymentError(summary, permanent=True)
    if isinstance(error, stripe.InvalidRequestError):
        return _request_error(error, summary)
    if isinstance(error, stripe.IdempotencyError):
        return StripeRequestError(summary)
    wait = parse_retry_after((error.headers or {}).get("retry-after"), now=utc_now())
    return PaymentError(summary, retry_after=wait)


def describe_error(error: stripe.StripeError) -> str:
    """Return the status, codes and request id of an error, as one line."""
    if isinstance(error, stripe.APIConnectionError):
        return error.user_message or "no response"
    param = error.param if isinstance(error, stripe.InvalidRequestError) else None
    codes = [error.code, _decline_code(error), param, error.request_id]
    return " ".join([f"Stripe answered {error.http_status}", *(code for code in codes if code)])


def _decline_code(error: stripe.StripeError) -> str | None:
    code: object = getattr(error.error, "decline_code", None)
    return code if isinstance(code, str) else None


def _request_error(error: stripe.InvalidRequestError, summary: str) -> Exception:
    param = error.param or ""
    if param == EMAIL_PARAM:
        return PaymentError(summary, permanent=True)
    if param.startswith(METHODS_PARAM):
        return ProviderAccountError(f"a payment method is not enabled: {summary}")
    return StripeRequestError(summary, code=error.code, param=param)
