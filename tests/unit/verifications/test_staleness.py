from datetime import UTC, datetime, timedelta

import pytest

from prawko.verifications.staleness import is_stale

NOW = datetime(2026, 11, 20, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "checked", "stale"),
    [
        (timedelta(hours=1), True, False),
        (timedelta(hours=48), True, False),
        (timedelta(hours=48, seconds=1), True, True),
        (timedelta(hours=1), False, True),
        (-timedelta(hours=1), True, False),
    ],
)
def test_a_result_is_stale_after_two_days_or_when_nobody_checks(age, checked, stale):
    assert is_stale(NOW - age, NOW, checked=checked) is stale


def test_where_there_is_no_result_nothing_is_stale():
    assert not is_stale(None, NOW, checked=False)
