"""Which driver limits may be ordered (reading R18)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.limits import (
    LEAST,
    MOST,
    LimitProblem,
    least_order,
    limit_problem,
    operator_may_set,
)


@pytest.mark.parametrize(
    ("limit", "drivers", "problem"),
    [
        (5, 0, None),
        (5, 5, None),
        (10_000, 10_000, None),
        (15, 12, None),
        (0, 0, LimitProblem.TOO_LOW),
        (-5, 0, LimitProblem.TOO_LOW),
        (4, 0, LimitProblem.TOO_LOW),
        (6, 0, LimitProblem.NOT_A_STEP),
        (9_999, 0, LimitProblem.NOT_A_STEP),
        (10_005, 0, LimitProblem.TOO_HIGH),
        (10_001, 0, LimitProblem.TOO_HIGH),
        (5, 6, LimitProblem.BELOW_DRIVERS),
        (10_000, 10_001, LimitProblem.BELOW_DRIVERS),
    ],
)
def test_an_orders_limit(limit, drivers, problem) -> None:
    assert limit_problem(limit, drivers) is problem


@given(st.integers(0, MOST))
def test_the_least_order_is_the_lowest_that_may_be_ordered(drivers) -> None:
    least = least_order(drivers)

    assert limit_problem(least, drivers) is None
    assert least == LEAST or limit_problem(least - 5, drivers) is LimitProblem.BELOW_DRIVERS


@given(st.integers(), st.integers(0, 20_000))
def test_what_may_be_ordered_is_a_step_that_covers_the_drivers(limit, drivers) -> None:
    fits = limit in range(5, 10_001, 5) and limit >= drivers

    assert (limit_problem(limit, drivers) is None) is fits


@pytest.mark.parametrize(
    ("limit", "may"), [(0, True), (7, True), (10_001, True), (-1, False), (2**31, False)]
)
def test_operators_set_any_limit_from_zero(limit, may) -> None:
    assert operator_may_set(limit) is may
