"""The driver limits that may be ordered (docs/rules.md R18)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.price import LimitProblem, limit_problem


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
def test_the_limits_that_may_be_ordered(limit, drivers, problem) -> None:
    assert limit_problem(limit, drivers) is problem


@given(st.integers(), st.integers(0, 20_000))
def test_a_limit_that_may_be_ordered_is_a_step_and_covers_the_drivers(limit, drivers) -> None:
    is_valid = limit in range(5, 10_001, 5) and limit >= drivers

    assert (limit_problem(limit, drivers) is None) is is_valid
