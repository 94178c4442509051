"""How long a message waits for its next try."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.deliveries.backoff import (
    LONGEST_OBEYED,
    LONGEST_WAIT,
    MOST_ATTEMPTS,
    next_wait,
    wait_after,
)


@pytest.mark.parametrize(
    ("attempts", "seconds"),
    [(1, 30), (2, 60), (3, 120), (7, 1920), (8, 3600), (9, 3600), (MOST_ATTEMPTS - 1, 3600)],
)
def test_the_wait_doubles_from_thirty_seconds_to_an_hour(attempts: int, seconds: int) -> None:
    assert next_wait(attempts) == timedelta(seconds=seconds)


def test_all_waits_together_last_three_days() -> None:
    waited = sum((wait_after(n) for n in range(1, MOST_ATTEMPTS)), timedelta(0))

    assert timedelta(days=3) <= waited < timedelta(days=3, hours=1)


def test_the_last_attempt_is_followed_by_none() -> None:
    assert next_wait(MOST_ATTEMPTS) is None
    assert next_wait(MOST_ATTEMPTS + 1, asked_for=5.0) is None


def test_what_the_carrier_asks_for_is_obeyed() -> None:
    assert next_wait(1, asked_for=7.5) == timedelta(seconds=7.5)
    assert next_wait(1, asked_for=1e9) == LONGEST_OBEYED
    assert next_wait(1, asked_for=-3.0) == timedelta(0)


@given(st.integers(min_value=1, max_value=10_000))
def test_no_wait_is_longer_than_an_hour(attempts: int) -> None:
    assert timedelta(seconds=30) <= wait_after(attempts) <= LONGEST_WAIT
