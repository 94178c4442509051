"""Back-off of failed deliveries."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.backoff import MAX_ATTEMPTS, MAX_DELAY, MAX_RETRY_AFTER, backoff_delay, next_delay


@pytest.mark.parametrize(
    ("attempts", "seconds"),
    [(1, 30), (2, 60), (3, 120), (7, 1920), (8, 3600), (9, 3600), (MAX_ATTEMPTS - 1, 3600)],
)
def test_the_delay_doubles_from_thirty_seconds_to_an_hour(attempts: int, seconds: int) -> None:
    assert next_delay(attempts) == timedelta(seconds=seconds)


def test_all_delays_add_up_to_three_days() -> None:
    total = sum((backoff_delay(n) for n in range(1, MAX_ATTEMPTS)), timedelta(0))

    assert timedelta(days=3) <= total < timedelta(days=3, hours=1)


def test_there_is_no_delay_after_the_last_attempt() -> None:
    assert next_delay(MAX_ATTEMPTS) is None
    assert next_delay(MAX_ATTEMPTS + 1, retry_after=5.0) is None


def test_the_retry_after_of_the_carrier_is_honoured() -> None:
    assert next_delay(1, retry_after=7.5) == timedelta(seconds=7.5)
    assert next_delay(1, retry_after=1e9) == MAX_RETRY_AFTER
    assert next_delay(1, retry_after=-3.0) == timedelta(0)


@given(st.integers(min_value=1, max_value=10_000))
def test_no_delay_is_longer_than_an_hour(attempts: int) -> None:
    assert timedelta(seconds=30) <= backoff_delay(attempts) <= MAX_DELAY
