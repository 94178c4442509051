"""Which way to pay an order takes."""

import pytest

from prawko.billing.errors import InvalidPaymentMethodError
from prawko.billing.methods import choose
from prawko.hooks.payments import Method
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.purchase import OfferedMethod

CARD = OfferedMethod(method=Method.CARD, provider="a", blik_codes=False, renews=True)
BLIK = OfferedMethod(method=Method.BLIK, provider="b", blik_codes=True, renews=False)
PLAIN_BLIK = OfferedMethod(method=Method.BLIK, provider="c", blik_codes=False, renews=False)


def test_without_a_wish_the_first_is_taken() -> None:
    assert choose([BLIK, CARD], None, None) is BLIK
    assert choose([BLIK, CARD], "card", None) is CARD
    assert choose([BLIK], "blik", "123456") is BLIK


@pytest.mark.parametrize(
    ("offered", "wanted", "code", "field"),
    [
        ([CARD], "blik", None, "method"),
        ([CARD], "", None, "method"),
        ([CARD], None, "123456", "blikCode"),
        ([PLAIN_BLIK], "blik", "123456", "blikCode"),
        ([BLIK], "blik", "", "blikCode"),
        ([BLIK], "blik", "123456\n", "blikCode"),
    ],
)
def test_what_does_not_fit_is_refused(offered, wanted, code, field) -> None:
    with pytest.raises(InvalidPaymentMethodError) as refused:
        choose(offered, wanted, code)

    assert [*refused.value.fields] == [field]


def test_where_nobody_takes_money_nothing_is_ordered() -> None:
    with pytest.raises(PaymentUnavailableError):
        choose([], None, None)
