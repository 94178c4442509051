"""The figures of a month and when they are due."""

from datetime import UTC, date, datetime, timedelta

import pytest

from prawko.kit.clock import WARSAW
from prawko.verifications.month_figures import (
    find_due_month,
    median_minutes,
    next_month,
    reaction_minutes,
)
from prawko_tenants.ids import DriverId, new_id

JAN, EWA = DriverId(new_id()), DriverId(new_id())
BEGIN = datetime(2026, 10, 1, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("instant", "month"),
    [
        ((2026, 11, 1, 12, 0), None),  # a Sunday, and a holiday
        ((2026, 11, 2, 7, 59), None),
        ((2026, 11, 2, 8, 0), (2026, 10)),
        ((2026, 11, 30, 23, 59), (2026, 10)),  # no worker ran before
        ((2026, 12, 1, 12, 0), None),  # a Tuesday
        ((2026, 12, 2, 8, 0), (2026, 11)),
        ((2027, 1, 2, 12, 0), None),  # a Saturday
        ((2027, 1, 4, 8, 0), (2026, 12)),
        ((2026, 4, 2, 8, 0), (2026, 3)),  # the clock was put forward on 29 March
        ((2026, 3, 2, 8, 0), (2026, 2)),
    ],
)
def test_a_month_is_due_from_the_first_workday_on(instant, month) -> None:
    due = find_due_month(datetime(*instant, tzinfo=WARSAW).astimezone(UTC))

    assert due == (month and date(*month, 1))


def test_every_month_is_due_once_for_weeks_and_never_before_its_end() -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    hours = [begin + timedelta(hours=hour) for hour in range(2 * 365 * 24)]
    days: dict[date, set[date]] = {}
    for hour in hours:
        if month := find_due_month(hour):
            days.setdefault(month, set()).add(hour.astimezone(WARSAW).date())

    assert len(days) == 24
    for month, due in days.items():
        assert next_month(month) < min(due) <= next_month(month) + timedelta(days=3)
        assert min(due).weekday() < 5
        assert len(due) >= 25


# Alarms and acts as minutes since the begin, by driver → the minutes from alarm to act.
@pytest.mark.parametrize(
    ("alarms", "acts", "minutes"),
    [
        ([], [], []),
        ([], [(JAN, 5)], []),
        ([(JAN, 0)], [], []),
        ([(JAN, 0)], [(JAN, 12)], [12]),
        ([(JAN, 0)], [(EWA, 12)], []),
        ([(JAN, 10)], [(JAN, 5)], []),  # the act was about an earlier alarm
        ([(JAN, 0)], [(JAN, 30), (JAN, 12)], [12]),
        ([(JAN, 0), (JAN, 100)], [(JAN, 130)], [30]),
        ([(JAN, 100), (JAN, 0)], [(JAN, 10), (JAN, 130)], [10, 30]),
        ([(JAN, 0), (EWA, 0)], [(EWA, 60 * 50), (JAN, 0)], [0, 60 * 50]),
    ],
)
def test_an_act_answers_the_last_alarm_before_it(alarms, acts, minutes) -> None:
    def to_times(given):
        return [(driver, BEGIN + timedelta(minutes=after)) for driver, after in given]

    assert reaction_minutes(to_times(alarms), to_times(acts)) == minutes


@pytest.mark.parametrize(
    ("minutes", "middle"), [([], None), ([7], 7), ([9, 1, 4], 4), ([1, 4], 2), ([0, 3000], 1500)]
)
def test_the_median_is_whole_minutes(minutes, middle) -> None:
    assert median_minutes(minutes) == middle
