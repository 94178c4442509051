"""Which way to pay an order takes. Pure."""

import re
from collections.abc import Sequence

from prawko.billing.errors import InvalidPaymentMethodError
from prawko.hooks.payments import Method
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.purchase import OfferedMethod

_BLIK_CODE = re.compile("[0-9]{6}")


def refuse_malformed(wanted: str | None, blik_code: str | None) -> None:
    """Raise InvalidPaymentMethodError for no way to pay at all, or no BLIK code."""
    if wanted is not None and wanted not in set(Method):
        raise InvalidPaymentMethodError(fields={"method": "billing.method.not_offered"})
    if blik_code is not None and not _BLIK_CODE.fullmatch(blik_code):
        raise InvalidPaymentMethodError(fields={"blikCode": "billing.method.blik_code"})


def choose(
    offered: Sequence[OfferedMethod], wanted: str | None, blik_code: str | None
) -> OfferedMethod:
    """The way that is wanted, of those that take this sum; without a wish, the first.

    Raises InvalidPaymentMethodError, and PaymentUnavailableError where none is offered.
    """
    refuse_malformed(wanted, blik_code)
    if not offered:
        raise PaymentUnavailableError
    chosen = next((way for way in offered if wanted in {None, way.method.value}), None)
    if chosen is None:
        raise InvalidPaymentMethodError(fields={"method": "billing.method.not_offered"})
    if blik_code is not None and not chosen.blik_codes:
        raise InvalidPaymentMethodError(fields={"blikCode": "billing.method.no_code"})
    return chosen
