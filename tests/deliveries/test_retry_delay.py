"""Delay before a message is sent again."""

from datetime import timedelta

import pytest

from prawko.base.backoff import MAX_ATTEMPTS
from prawko.deliveries.delivery_results import MAX_RETRY_AFTER, next_delay


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 30), (2, 60), (MAX_ATTEMPTS - 1, 3600)])
def test_the_delay_doubles_from_thirty_seconds_to_an_hour(attempts: int, seconds: int) -> None:
    assert next_delay(attempts) == timedelta(seconds=seconds)


def test_there_is_no_delay_after_the_last_attempt() -> None:
    assert next_delay(MAX_ATTEMPTS) is None
    assert next_delay(MAX_ATTEMPTS + 1, retry_after=5.0) is None


def test_the_retry_after_of_the_carrier_is_honoured() -> None:
    assert next_delay(1, retry_after=7.5) == timedelta(seconds=7.5)
    assert next_delay(1, retry_after=1e9) == MAX_RETRY_AFTER
    assert next_delay(1, retry_after=-3.0) == timedelta(0)
