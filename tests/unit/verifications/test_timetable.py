from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.clock import WARSAW, warsaw_day
from prawko.verifications.timetable import Timetable

SIX = Timetable(time(6), 8.0)
SPRING = date(2027, 3, 28)  # 02:00 becomes 03:00
AUTUMN = date(2026, 10, 25)  # 03:00 becomes 02:00
DAYS = st.dates(date(2025, 1, 1), date(2030, 12, 31))


def wall(instant):
    return instant.astimezone(WARSAW).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("day", "drivers", "starts"),
    [
        (date(2026, 11, 20), 0, "2026-11-20 06:00"),
        (date(2026, 11, 20), 12, "2026-11-20 06:00"),
        (date(2026, 11, 20), 13_000, "2026-11-20 06:00"),
        (date(2026, 11, 20), 52_000, "2026-11-20 04:30"),
        (date(2026, 11, 20), 5_000_000, "2026-11-20 00:00"),
        (SPRING, 12, "2027-03-28 06:00"),
        (SPRING, 104_728, "2027-03-28 01:30"),
        (SPRING, 5_000_000, "2027-03-28 00:00"),
        (AUTUMN, 12, "2026-10-25 06:00"),
        (AUTUMN, 170_000, "2026-10-25 01:00"),
        (AUTUMN, 5_000_000, "2026-10-25 00:00"),
    ],
)
def test_the_run_starts_when_the_number_of_drivers_needs_it(day, drivers, starts):
    started = SIX.starts_at(day, drivers).replace(second=0)
    assert abs(started - datetime.fromisoformat(starts).replace(tzinfo=WARSAW)) <= timedelta(
        minutes=1
    )


def test_it_is_ready_at_half_past_six_on_both_days_of_the_clock_change():
    assert wall(SIX.ready_by(SPRING)) == "2027-03-28 06:30"
    assert wall(SIX.ready_by(AUTUMN)) == "2026-10-25 06:30"


def test_the_night_of_the_clock_change_is_an_hour_shorter_or_longer():
    usual = SIX.capacity(date(2026, 11, 20))
    hour = 3600 * 8 / 1.1
    assert SIX.capacity(SPRING) == pytest.approx(usual - hour, abs=1)
    assert SIX.capacity(AUTUMN) == pytest.approx(usual + hour, abs=1)


def test_an_hour_that_does_not_exist_is_the_one_after_it():
    assert wall(Timetable(time(2, 30), 8).starts_at(SPRING, 0)) == "2027-03-28 03:30"


def test_an_hour_that_comes_twice_starts_one_run_at_the_first():
    table = Timetable(time(2, 30), 8)
    start = table.starts_at(AUTUMN, 0)
    assert start == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert table.must_have_started(start + timedelta(hours=1), 0) == AUTUMN


def test_a_missed_hour_is_caught_up_the_same_day_and_not_the_next_night():
    day = date(2026, 11, 20)
    start = SIX.starts_at(day, 12)
    assert SIX.must_have_started(start - timedelta(seconds=1), 12) is None
    assert SIX.must_have_started(start, 12) == day
    assert SIX.must_have_started(start + timedelta(hours=17), 12) == day
    assert SIX.must_have_started(start + timedelta(hours=19), 12) is None


@given(day=DAYS, drivers=st.integers(0, 3_000_000), at=st.times(), rate=st.floats(0.1, 200))
def test_no_run_starts_outside_its_day_or_after_its_hour(day, drivers, at, rate):
    table = Timetable(at.replace(tzinfo=None), rate)
    start = table.starts_at(day, drivers)
    assert warsaw_day(start) == day
    assert start <= table.starts_at(day, 0)


@given(day=DAYS, drivers=st.integers(0, 1_000_000))
def test_what_fits_into_the_night_is_ready_in_time(day, drivers):
    done = SIX.starts_at(day, drivers) + timedelta(seconds=drivers / SIX.per_second)
    assert done <= SIX.ready_by(day) or drivers > SIX.capacity(day)
