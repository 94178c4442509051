"""Validation and totals of sales, and the names of invoice lines."""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.periods import upgrade_price
from prawko.billing.price import add_vat, period_price
from prawko.hooks.payments import PaymentMethod
from prawko.invoices.issuance import line_name
from prawko.invoices.sale import Buyer, LineKind, Sale, SaleLine

ACME = Buyer(
    company_name="Acme", tax_id="5260250274", street="Prosta 1", postal_code="00-950", city="Łódź"
)
PERIOD = SaleLine(kind=LineKind.PERIOD, driver_limit=10, net=199_00, vat=45_77)
UPGRADE = SaleLine(kind=LineKind.UPGRADE, driver_limit=10, days=7, net=11_67, vat=2_68)


def make_sale(*lines: SaleLine, **changes: object) -> Sale:
    values = {
        "order_id": UUID(int=1),
        "buyer": ACME,
        "lines": lines,
        "paid_at": datetime(2026, 11, 21, 12, tzinfo=UTC),
        "method": PaymentMethod.CARD,
    }
    return Sale(**{**values, **changes})


def test_the_totals_of_a_sale_are_the_sums_of_its_lines() -> None:
    sale = make_sale(PERIOD, UPGRADE)

    assert (sale.net, sale.vat, sale.gross) == (210_67, 48_45, 259_12)
    assert add_vat(sale.net).vat == 48_45  # equal here
    odd_line = SaleLine(kind=LineKind.UPGRADE, driver_limit=10, days=1, net=2, vat=0)
    assert make_sale(odd_line, odd_line, odd_line).vat == 0 != add_vat(6).vat  # not here


@pytest.mark.parametrize(("net", "vat"), [(149_00, 34_26), (149_00, 34_28), (149_00, 0), (2, 1)])
def test_a_line_with_another_vat_is_refused(net, vat) -> None:
    with pytest.raises(ValueError, match="is not the VAT"):
        SaleLine(kind=LineKind.PERIOD, driver_limit=5, net=net, vat=vat)


def test_a_sale_has_lines_and_no_negative_amounts() -> None:
    with pytest.raises(ValueError, match="correction"):
        SaleLine(kind=LineKind.PERIOD, driver_limit=5, net=-100, vat=-23)
    with pytest.raises(ValueError, match="has a line"):
        make_sale()


@given(limit=st.integers(1, 2000).map(lambda blocks: 5 * blocks), days=st.integers(1, 60))
def test_every_price_of_billing_makes_a_line(limit, days) -> None:
    for price in (period_price(limit), upgrade_price(limit, limit + 5, days)):
        period_line = SaleLine(
            kind=LineKind.PERIOD, driver_limit=limit, net=price.net, vat=price.vat
        )
        assert period_line.gross == price.gross


def test_a_line_names_what_was_sold() -> None:
    sale = make_sale(
        PERIOD,
        period_from=datetime(2026, 12, 31, 23, 30, tzinfo=UTC),  # New Year's Day in Warsaw
        period_to=datetime(2027, 1, 30, 23, 30, tzinfo=UTC),
    )

    names = [
        line_name("Prawko", sale, PERIOD),
        line_name("Prawko", make_sale(PERIOD), PERIOD),
        line_name("Prawko", sale, UPGRADE),
        line_name("Prawko", sale, msgspec.structs.replace(UPGRADE, days=None)),
    ]

    assert names == [
        "Subskrypcja Prawko, limit kierowców: 10, okres od 01.01.2027 do 31.01.2027",
        "Subskrypcja Prawko, limit kierowców: 10",
        "Zwiększenie limitu kierowców w Prawko do 10, liczba dni: 7",
        "Zwiększenie limitu kierowców w Prawko do 10",
    ]
