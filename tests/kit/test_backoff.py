"""Exponential back-off."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.backoff import BACKOFF, MAX_ATTEMPTS


@pytest.mark.parametrize(
    ("attempts", "seconds"),
    [(1, 30), (2, 60), (3, 120), (7, 1920), (8, 3600), (9, 3600), (100, 3600)],
)
def test_the_delay_doubles_from_thirty_seconds_to_an_hour(attempts: int, seconds: int) -> None:
    assert BACKOFF.delay(attempts) == timedelta(seconds=seconds)


def test_all_delays_add_up_to_the_time_after_which_is_given_up() -> None:
    total = sum((BACKOFF.delay(n) for n in range(1, MAX_ATTEMPTS)), timedelta(0))

    assert timedelta(days=3) <= total < timedelta(days=3, hours=1)


@given(st.integers(min_value=1, max_value=10_000))
def test_no_delay_is_longer_than_an_hour(attempts: int) -> None:
    assert timedelta(seconds=30) <= BACKOFF.delay(attempts) <= timedelta(hours=1)
