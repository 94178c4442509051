"""Prices and VAT, to the grosz (docs/rules.md P31, P32, T5)."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.periods import upgrade_price
from prawko.billing.price import Price, add_vat, period_price
from prawko.kit.money import round_half_up

LIMITS = st.integers(0, 20_000)
AMOUNTS = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("limit", "net", "vat", "gross"),
    [
        (0, 149_00, 34_27, 183_27),  # an operator's limits
        (1, 149_00, 34_27, 183_27),
        (5, 149_00, 34_27, 183_27),
        (6, 199_00, 45_77, 244_77),
        (10, 199_00, 45_77, 244_77),
        (11, 249_00, 57_27, 306_27),
        (15, 249_00, 57_27, 306_27),
        (50, 599_00, 137_77, 736_77),
        (100, 1_099_00, 252_77, 1_351_77),
        (500, 5_099_00, 1_172_77, 6_271_77),
        (10_000, 100_099_00, 23_022_77, 123_121_77),
    ],
)
def test_the_price_of_a_period(limit, net, vat, gross) -> None:
    price = period_price(limit)

    assert (price.net, price.vat, price.gross) == (net, vat, gross)


@given(LIMITS)
def test_a_started_block_counts_whole(limit) -> None:
    step = period_price(limit + 1).net - period_price(limit).net

    assert step == (50_00 if limit >= 5 and limit % 5 == 0 else 0)


def test_a_limit_below_zero_has_no_price() -> None:
    with pytest.raises(ValueError, match="-1"):
        period_price(-1)


@pytest.mark.parametrize(
    ("net", "vat"),
    [(0, 0), (1, 0), (2, 0), (3, 1), (50, 12), (150, 35), (250, 58), (350, 81), (100_00, 23_00)],
)
def test_vat_is_rounded_half_up(net, vat) -> None:
    # 23 % of 50, 150, 250 and 350 end in a half; rounded to even, 150 and 350 had 34 and 80.
    assert add_vat(net) == Price(net=net, vat=vat)


@given(AMOUNTS)
def test_vat_equals_decimal_arithmetic(net) -> None:
    exact_vat = Decimal(net) * 23 / 100

    price = add_vat(net)

    assert price.vat == exact_vat.quantize(Decimal(1), ROUND_HALF_UP)
    assert price.gross - price.vat == net
    assert type(price.gross) is int


@given(AMOUNTS, st.integers(1, 1000))
def test_a_rounded_amount_is_at_most_a_half_away(amount, divisor) -> None:
    double_error = 2 * (round_half_up(amount, divisor) * divisor - amount)

    assert -divisor < double_error <= divisor


@pytest.mark.parametrize("compute", [add_vat, lambda amount: round_half_up(amount, 30)])
def test_negative_amounts_are_refused(compute) -> None:
    with pytest.raises(ValueError, match="below zero"):
        compute(-1)


@pytest.mark.parametrize(
    ("from_limit", "to_limit", "days", "net", "vat"),
    [
        (5, 10, 30, 50_00, 11_50),  # the whole period
        (5, 10, 15, 25_00, 5_75),
        (5, 10, 1, 1_67, 38),  # 166.67
        (5, 10, 2, 3_33, 77),  # 333.33; 76.59
        (5, 10, 29, 48_33, 11_12),  # 4833.33; 1111.59
        (5, 10, 3, 5_00, 1_15),
        (10, 50, 7, 93_33, 21_47),  # 9333.33; 2146.59
        (5, 500, 11, 1_815_00, 417_45),
        (5, 10, 47, 78_33, 18_02),  # paid early: more than a period is left
        (7, 10, 20, 0, 0),  # the block is paid already
        (0, 5, 20, 0, 0),
        (7, 11, 30, 50_00, 11_50),
    ],
)
def test_an_upgrade_pays_for_the_days_left(from_limit, to_limit, days, net, vat) -> None:
    assert upgrade_price(from_limit, to_limit, days) == Price(net=net, vat=vat)


@given(LIMITS, st.integers(1, 2_000), st.integers(1, 90))
def test_an_upgrade_for_a_whole_period_costs_the_difference(limit, more, days) -> None:
    higher = limit + more
    difference = period_price(higher).net - period_price(limit).net

    assert upgrade_price(limit, higher, 30).net == difference
    assert upgrade_price(limit, higher, days).net <= upgrade_price(limit, higher, days + 1).net
    assert abs(30 * upgrade_price(limit, higher, days).net - difference * days) <= 15


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 200), st.integers(1, 60))
def test_two_small_upgrades_cost_the_same_as_one_within_a_grosz(first, second, third, days) -> None:
    lowest, middle, highest = 5 * first, 5 * (first + second), 5 * (first + second + third)
    single = upgrade_price(lowest, highest, days).net

    stepwise = upgrade_price(lowest, middle, days).net + upgrade_price(middle, highest, days).net

    assert abs(stepwise - single) <= 1


@pytest.mark.parametrize(
    ("from_limit", "to_limit", "days"), [(10, 10, 5), (10, 5, 5), (5, 10, 0), (5, 10, -1)]
)
def test_a_limit_that_does_not_rise_has_no_upgrade_price(from_limit, to_limit, days) -> None:
    with pytest.raises(ValueError, match=r"not more|no day"):
        upgrade_price(from_limit, to_limit, days)
