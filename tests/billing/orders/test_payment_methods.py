"""The choice of a payment method."""

import pytest

from prawko.billing.errors import InvalidPaymentMethodError
from prawko.billing.ordering import select_method
from prawko.hooks.payments import PaymentMethod
from prawko.payments.available_methods import OfferedMethod
from prawko.payments.errors import PaymentUnavailableError

CARD = OfferedMethod(
    method=PaymentMethod.CARD, providers=("a",), accepts_blik_codes=False, is_recurring=True
)
BLIK = OfferedMethod(
    method=PaymentMethod.BLIK, providers=("b",), accepts_blik_codes=True, is_recurring=False
)
PLAIN_BLIK = OfferedMethod(
    method=PaymentMethod.BLIK, providers=("c",), accepts_blik_codes=False, is_recurring=False
)


def test_without_a_requested_method_the_first_is_selected() -> None:
    assert select_method([BLIK, CARD], None, None) is BLIK
    assert select_method([BLIK, CARD], "card", None) is CARD
    assert select_method([BLIK], "blik", "123456") is BLIK


@pytest.mark.parametrize(
    ("offered", "requested", "code", "field"),
    [
        ([CARD], "blik", None, "method"),
        ([CARD], "", None, "method"),
        ([CARD], None, "123456", "blikCode"),
        ([PLAIN_BLIK], "blik", "123456", "blikCode"),
        ([BLIK], "blik", "", "blikCode"),
        ([BLIK], "blik", "123456\n", "blikCode"),
    ],
)
def test_an_invalid_choice_is_refused(offered, requested, code, field) -> None:
    with pytest.raises(InvalidPaymentMethodError) as refused:
        select_method(offered, requested, code)

    assert [*refused.value.fields] == [field]


def test_without_an_offered_method_payment_is_unavailable() -> None:
    with pytest.raises(PaymentUnavailableError):
        select_method([], None, None)
