from datetime import timedelta

import pytest

from prawko.hooks.licence_register import RegisterErrorKind
from prawko.verifications.decision import retry_delay


@pytest.mark.parametrize(
    ("attempts", "seconds"), [(0, 30), (1, 30), (2, 60), (3, 120), (7, 1800), (500, 1800)]
)
def test_the_delay_doubles_up_to_half_an_hour(attempts, seconds):
    for error_kind in (RegisterErrorKind.UNAVAILABLE, RegisterErrorKind.INVALID_RESPONSE, None):
        assert retry_delay(error_kind, attempts) == timedelta(seconds=seconds)


def test_a_rejected_query_is_retried_after_an_hour():
    assert retry_delay(RegisterErrorKind.INVALID_QUERY, 1) == timedelta(hours=1)


@pytest.mark.parametrize(("retry_after", "seconds"), [(0, 30), (45, 45), (1e9, 3600)])
def test_retry_after_sets_the_delay_within_bounds(retry_after, seconds):
    delay = retry_delay(RegisterErrorKind.RATE_LIMITED, 1, retry_after=retry_after)
    assert delay == timedelta(seconds=seconds)
