"""Delay before a message is sent again."""

import math
from datetime import timedelta

import pytest

from prawko.kit.backoff import MAX_ATTEMPTS
from prawko.kit.deliveries.delivery_results import LONGEST_RETRY_AFTER, next_delay


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 30), (2, 60), (MAX_ATTEMPTS - 1, 3600)])
def test_the_delay_doubles_from_thirty_seconds_to_an_hour(attempts: int, seconds: int) -> None:
    assert next_delay(attempts) == timedelta(seconds=seconds)


def test_there_is_no_delay_after_the_last_attempt() -> None:
    assert next_delay(MAX_ATTEMPTS) is None
    assert next_delay(MAX_ATTEMPTS + 1, retry_after=5.0) is None


def test_the_retry_after_of_the_carrier_makes_the_delay_longer() -> None:
    assert next_delay(1, retry_after=47.5) == timedelta(seconds=47.5)
    assert next_delay(1, retry_after=1e9) == LONGEST_RETRY_AFTER


@pytest.mark.parametrize("retry_after", [0, 7.5, -3.0, -math.inf, math.nan, "soon", True])
def test_no_retry_after_makes_the_delay_shorter(retry_after: object) -> None:
    """Else the attempts of three days would be over within a second."""
    for attempts in (1, 5, MAX_ATTEMPTS - 1):
        assert next_delay(attempts, retry_after=retry_after) == next_delay(attempts)
