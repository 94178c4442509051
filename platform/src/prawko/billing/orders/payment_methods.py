"""Validation and choice of an order's payment method."""

import re
from collections.abc import Sequence

from prawko.billing.errors import InvalidPaymentMethodError
from prawko.hooks.payments import PaymentMethod
from prawko.payments.available_methods import OfferedMethod
from prawko.payments.errors import PaymentUnavailableError

_BLIK_CODE_REGEX = re.compile("[0-9]{6}")


def validate_choice(requested_method: str | None, blik_code: str | None) -> None:
    """Raise InvalidPaymentMethodError for an unknown method or a malformed BLIK code."""
    if requested_method is not None and requested_method not in set(PaymentMethod):
        raise InvalidPaymentMethodError(fields={"method": "billing.method.not_offered"})
    if blik_code is not None and not _BLIK_CODE_REGEX.fullmatch(blik_code):
        raise InvalidPaymentMethodError(fields={"blikCode": "billing.method.blik_code"})


def select_method(
    offered: Sequence[OfferedMethod], requested_method: str | None, blik_code: str | None
) -> OfferedMethod:
    """The requested method among the offered ones; the first one if none was requested.

    Raises InvalidPaymentMethodError, and PaymentUnavailableError if none is offered.
    """
    validate_choice(requested_method, blik_code)
    if not offered:
        raise PaymentUnavailableError
    chosen = next((one for one in offered if requested_method in {None, one.method.value}), None)
    if chosen is None:
        raise InvalidPaymentMethodError(fields={"method": "billing.method.not_offered"})
    if blik_code is not None and not chosen.accepts_blik_codes:
        raise InvalidPaymentMethodError(fields={"blikCode": "billing.method.no_code"})
    return chosen
