from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.clock import WARSAW, warsaw_date
from prawko.verifications.daily.schedule import CheckSchedule

SCHEDULE = CheckSchedule(time(6), 8.0)
SPRING = date(2027, 3, 28)  # 02:00 becomes 03:00
AUTUMN = date(2026, 10, 25)  # 03:00 becomes 02:00
DAYS = st.dates(date(2025, 1, 1), date(2030, 12, 31))


def warsaw_text(instant):
    return instant.astimezone(WARSAW).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("day", "drivers", "start"),
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
def test_a_run_starts_as_early_as_the_number_of_drivers_needs(day, drivers, start):
    started = SCHEDULE.starts_at(day, drivers).replace(second=0)
    assert abs(started - datetime.fromisoformat(start).replace(tzinfo=WARSAW)) <= timedelta(
        minutes=1
    )


def test_the_deadline_is_half_past_six_on_both_days_of_the_clock_change():
    assert warsaw_text(SCHEDULE.deadline(SPRING)) == "2027-03-28 06:30"
    assert warsaw_text(SCHEDULE.deadline(AUTUMN)) == "2026-10-25 06:30"


def test_the_capacity_follows_the_clock_change():
    normal_capacity = SCHEDULE.capacity(date(2026, 11, 20))
    hour = 3600 * 8 / 1.1
    assert SCHEDULE.capacity(SPRING) == pytest.approx(normal_capacity - hour, abs=1)
    assert SCHEDULE.capacity(AUTUMN) == pytest.approx(normal_capacity + hour, abs=1)


def test_a_skipped_start_time_moves_an_hour_ahead():
    assert warsaw_text(CheckSchedule(time(2, 30), 8).starts_at(SPRING, 0)) == "2027-03-28 03:30"


def test_a_repeated_start_time_starts_one_run_at_the_first():
    schedule = CheckSchedule(time(2, 30), 8)
    start = schedule.starts_at(AUTUMN, 0)
    assert start == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert schedule.due_day(start + timedelta(hours=1), 0) == AUTUMN


def test_a_missed_start_is_made_up_for_on_the_same_day_only():
    day = date(2026, 11, 20)
    start = SCHEDULE.starts_at(day, 12)
    assert SCHEDULE.due_day(start - timedelta(seconds=1), 12) is None
    assert SCHEDULE.due_day(start, 12) == day
    assert SCHEDULE.due_day(start + timedelta(hours=17), 12) == day
    assert SCHEDULE.due_day(start + timedelta(hours=19), 12) is None


@given(day=DAYS, drivers=st.integers(0, 3_000_000), at=st.times(), rate=st.floats(0.1, 200))
def test_no_run_starts_outside_its_day_or_after_its_latest_start(day, drivers, at, rate):
    schedule = CheckSchedule(at.replace(tzinfo=None), rate)
    start = schedule.starts_at(day, drivers)
    assert warsaw_date(start) == day
    assert start <= schedule.starts_at(day, 0)


@given(day=DAYS, drivers=st.integers(0, 1_000_000))
def test_a_run_within_the_capacity_meets_the_deadline(day, drivers):
    end = SCHEDULE.starts_at(day, drivers) + timedelta(
        seconds=drivers / SCHEDULE.drivers_per_second
    )
    assert end <= SCHEDULE.deadline(day) or drivers > SCHEDULE.capacity(day)
