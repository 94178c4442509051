from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from prawko.base.clock import WARSAW
from prawko.billing.periods import days_later, days_left, end_of_day, paid_end, trial_end

INSTANTS = st.datetimes(
    datetime(2024, 1, 1),  # noqa: DTZ001  the strategy makes them aware
    datetime(2040, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


def utc(text):
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-11-21T12:00:00+01:00", "2026-11-28T12:00:00+01:00"),
        ("2026-10-20T12:00:00+02:00", "2026-10-27T12:00:00+01:00"),  # a long day lies between
        ("2027-03-25T12:00:00+01:00", "2027-04-01T12:00:00+02:00"),  # a short one
        ("2026-10-18T02:30:00+02:00", "2026-10-25T02:30:00+02:00"),  # the first of two
        ("2027-03-21T02:30:00+01:00", "2027-03-28T03:30:00+02:00"),  # there is no 02:30
        ("2028-02-22T23:59:59+01:00", "2028-02-29T23:59:59+01:00"),
        ("2026-12-29T00:00:00+01:00", "2027-01-05T00:00:00+01:00"),
    ],
)
def test_a_trial_ends_after_seven_warsaw_days_at_the_same_time(start, end):
    assert trial_end(utc(start)) == utc(end)


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
    assert paid_end(end and utc(end), utc(now)) == utc(new_end)


@given(INSTANTS, st.integers(-100, 100), st.integers(0, 86_399))
def test_nothing_is_lost_by_paying_early_and_nothing_is_won_by_paying_late(now, days, seconds):
    assume(now.astimezone(WARSAW).hour != 2)  # an hour that is skipped or comes twice
    end = now + timedelta(days=days, seconds=seconds)
    left, new_end = days_left(end, now), paid_end(end, now)
    assert days_left(new_end, now) == left + 30
    assert new_end == days_later(max(now, end), 30)


@given(INSTANTS, st.integers(-400, 400))
def test_days_later_keeps_the_wall_clock_and_never_strays_by_more_than_an_hour(start, days):
    end = days_later(start, days)
    assert abs(end - start - timedelta(days=days)) <= timedelta(hours=1)
    assert end.tzinfo is UTC
    wall, told = start.astimezone(WARSAW), end.astimezone(WARSAW)
    assert told.date() == wall.date() + timedelta(days=days)
    assert told.time() == wall.time() or (told - timedelta(hours=1)).time() == wall.time()


@pytest.mark.parametrize(
    ("day", "instant"),
    [
        (date(2026, 12, 31), "2026-12-31T22:59:59.999999+00:00"),
        (date(2026, 7, 1), "2026-07-01T21:59:59.999999+00:00"),
        (date(2026, 10, 25), "2026-10-25T22:59:59.999999+00:00"),
        (date(2027, 3, 28), "2027-03-28T21:59:59.999999+00:00"),
    ],
)
def test_an_admins_date_means_the_end_of_that_day_in_warsaw(day, instant):
    assert end_of_day(day) == datetime.fromisoformat(instant)


@given(st.dates(date(2024, 1, 1), date(2040, 1, 1)))
def test_the_next_day_begins_right_after_the_end_of_a_day(day):
    just_after = (end_of_day(day) + timedelta(microseconds=1)).astimezone(WARSAW)
    assert (just_after.date(), just_after.hour, just_after.minute) == (
        day + timedelta(days=1),
        0,
        0,
    )


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
        ("2026-10-25T02:15:00+01:00", "2026-10-25T02:45:00+02:00", 1),  # later, yet a lower hand
    ],
)
def test_begun_days_count_whole_and_never_below_zero(end, now, left):
    assert days_left(utc(end), utc(now)) == left


@given(INSTANTS)
def test_a_trial_starts_with_seven_days_left(start):
    assert days_left(trial_end(start), start) == 7


@given(INSTANTS, st.integers(-(10**7), 10**7))
def test_days_are_left_exactly_while_the_end_is_ahead(now, seconds):
    end = now + timedelta(seconds=seconds)
    assert (days_left(end, now) > 0) == (end > now)
