"""Periods and trials: Warsaw calendar days, also over the changes of the clock."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from prawko.billing.periods import days_left, extend_end, trial_end
from prawko.kit.clock import WARSAW, add_days

INSTANTS = st.datetimes(
    datetime(2024, 1, 1),  # noqa: DTZ001  the strategy makes them aware
    datetime(2040, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


def parse_utc(text):
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-11-21T12:00:00+01:00", "2026-11-28T12:00:00+01:00"),
        ("2026-10-20T12:00:00+02:00", "2026-10-27T12:00:00+01:00"),  # over a 25-hour day
        ("2027-03-25T12:00:00+01:00", "2027-04-01T12:00:00+02:00"),  # over a 23-hour day
        ("2026-10-18T02:30:00+02:00", "2026-10-25T02:30:00+02:00"),  # the first of two
        ("2027-03-21T02:30:00+01:00", "2027-03-28T03:30:00+02:00"),  # there is no 02:30
        ("2028-02-22T23:59:59+01:00", "2028-02-29T23:59:59+01:00"),
        ("2026-12-29T00:00:00+01:00", "2027-01-05T00:00:00+01:00"),
    ],
)
def test_a_trial_ends_after_seven_warsaw_days_at_the_same_time(start, end):
    assert trial_end(parse_utc(start)) == parse_utc(end)


@pytest.mark.parametrize(
    ("end", "now", "new_end"),
    [
        (None, "2026-11-21T12:00:00+01:00", "2026-12-21T12:00:00+01:00"),
        # paid early: counted from the end
        ("2026-11-28T14:30:00+01:00", "2026-11-21T12:00:00+01:00", "2026-12-28T14:30:00+01:00"),
        # at the end, and after it: counted from the payment
        ("2026-11-21T12:00:00+01:00", "2026-11-21T12:00:00+01:00", "2026-12-21T12:00:00+01:00"),
        ("2026-11-19T14:30:00+01:00", "2026-11-21T12:00:00+01:00", "2026-12-21T12:00:00+01:00"),
        # over both changes of the clock
        (None, "2026-10-10T12:00:00+02:00", "2026-11-09T12:00:00+01:00"),
        (None, "2027-03-10T12:00:00+01:00", "2027-04-09T12:00:00+02:00"),
        (None, "2028-01-31T23:59:59+01:00", "2028-03-01T23:59:59+01:00"),  # a leap year
    ],
)
def test_a_paid_period_lasts_thirty_warsaw_days(end, now, new_end):
    assert extend_end(end and parse_utc(end), parse_utc(now)) == parse_utc(new_end)


@given(INSTANTS, st.integers(-100, 100), st.integers(0, 86_399))
def test_paying_early_loses_nothing_and_paying_late_gains_nothing(now, days, seconds):
    assume(now.astimezone(WARSAW).hour != 2)  # an hour that is skipped or comes twice
    end = now + timedelta(days=days, seconds=seconds)
    remaining_days, new_end = days_left(end, now), extend_end(end, now)
    assert days_left(new_end, now) == remaining_days + 30
    assert new_end == add_days(max(now, end), 30)


@given(INSTANTS, st.integers(-400, 400))
def test_adding_days_keeps_the_wall_clock_time(start, days):
    end = add_days(start, days)
    assert abs(end - start - timedelta(days=days)) <= timedelta(hours=1)
    assert end.tzinfo is UTC
    wall, result = start.astimezone(WARSAW), end.astimezone(WARSAW)
    assert result.date() == wall.date() + timedelta(days=days)
    assert result.time() == wall.time() or (result - timedelta(hours=1)).time() == wall.time()


@pytest.mark.parametrize(
    ("end", "now", "left"),
    [
        ("2026-11-28T12:00:00+01:00", "2026-11-21T12:00:00+01:00", 7),
        ("2026-11-28T12:00:00+01:00", "2026-11-21T12:00:01+01:00", 7),
        ("2026-11-28T12:00:00+01:00", "2026-11-27T12:00:00+01:00", 1),
        ("2026-11-28T12:00:00+01:00", "2026-11-28T11:59:59+01:00", 1),
        ("2026-11-28T12:00:00+01:00", "2026-11-28T12:00:00+01:00", 0),
        ("2026-11-28T12:00:00+01:00", "2027-11-28T12:00:00+01:00", 0),
        ("2026-10-27T12:00:00+01:00", "2026-10-20T12:00:00+02:00", 7),  # not 8
        ("2027-04-01T12:00:00+02:00", "2027-03-25T12:00:00+01:00", 7),
        ("2027-03-28T03:30:00+02:00", "2027-03-21T02:30:00+01:00", 7),  # 02:30 was skipped
        ("2027-03-28T03:30:00+02:00", "2027-03-21T02:29:59+01:00", 8),
        ("2027-03-28T03:30:00+02:00", "2027-02-26T02:30:00+01:00", 30),
        (
            "2026-10-25T02:15:00+01:00",
            "2026-10-25T02:45:00+02:00",
            1,
        ),  # later, with an earlier wall-clock time
    ],
)
def test_started_days_count_whole_and_never_below_zero(end, now, left):
    assert days_left(parse_utc(end), parse_utc(now)) == left


@given(INSTANTS)
def test_a_trial_starts_with_seven_days_left(start):
    assert days_left(trial_end(start), start) == 7


@given(INSTANTS, st.integers(-(10**7), 10**7))
def test_days_are_left_exactly_while_the_end_is_ahead(now, seconds):
    end = now + timedelta(seconds=seconds)
    assert (days_left(end, now) > 0) == (end > now)
