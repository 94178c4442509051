"""Which last days are told, and when: each date and threshold once, the lowest reached alone."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.notifications.expiry import (
    DOCUMENT,
    FARTHEST,
    THRESHOLDS,
    expiries,
    lowest_reached,
    untold,
)
from prawko.notifications.kinds import Expiry

TODAY = date(2026, 11, 21)


def in_days(days: int) -> date:
    return TODAY + timedelta(days=days)


@pytest.mark.parametrize(
    ("days_left", "threshold"),
    [
        (400, None),
        (91, None),
        (90, 90),
        (89, 90),
        (61, 90),
        (60, 60),
        (59, 60),
        (30, 30),
        (15, 30),
        (14, 14),
        (8, 14),
        (7, 7),
        (1, 7),
        (0, 7),
        (-1, None),
        (-400, None),
    ],
)
def test_the_lowest_threshold_that_was_reached_is_told(days_left, threshold) -> None:
    assert lowest_reached(days_left, THRESHOLDS) == threshold


def test_the_document_and_each_category_have_their_own_dates_soonest_first() -> None:
    categories = [("C", in_days(14)), ("B", None), ("AM", in_days(-300)), ("D", in_days(91))]

    found = expiries(in_days(60), categories, TODAY)

    assert found == (Expiry(in_days(14), "C", 14), Expiry(in_days(60), DOCUMENT, 60))


def test_a_document_without_a_date_never_ends() -> None:
    assert expiries(None, [("B", None)], TODAY) == ()


def test_a_category_named_twice_is_told_once() -> None:
    twice = [("C", in_days(30)), ("C", in_days(30))]

    assert expiries(None, twice, TODAY) == (Expiry(in_days(30), "C", 30),)


def look(last_day: date, days: list[date]) -> list[tuple[date, int]]:
    """What is told of one document, looked at on these days."""
    told: set[Expiry] = set()
    said = []
    for day in days:
        new = untold(expiries(last_day, [], day), told)
        told |= set(new)
        said += [(day, one.threshold) for one in new]
    return said


def test_looked_at_every_day_each_threshold_is_told_on_its_day() -> None:
    last_day = in_days(100)

    said = look(last_day, [in_days(n) for n in range(120)])

    assert said == [(last_day - timedelta(days=days), days) for days in THRESHOLDS]


def test_after_days_without_a_look_one_is_told_not_all_that_were_missed() -> None:
    last_day = in_days(65)

    # 65 days before: "90". Then nobody looks until 12 days before, past 60, 30 and 14.
    said = look(last_day, [TODAY, TODAY, in_days(53), in_days(54), in_days(58), in_days(65)])

    assert said == [(TODAY, 90), (in_days(53), 14), (in_days(58), 7)]


def test_a_renewed_date_starts_anew_and_one_put_back_is_not_told_again() -> None:
    told = set(expiries(in_days(20), [], TODAY))

    assert untold(expiries(in_days(25), [], TODAY), told) == (Expiry(in_days(25), DOCUMENT, 30),)
    assert untold(expiries(in_days(20), [], TODAY), told) == ()


@given(
    st.integers(0, 400),
    st.lists(st.integers(0, 400), max_size=60).map(sorted),
)
def test_whatever_days_are_looked_at_a_date_is_told_five_times_at_most(last, days) -> None:
    said = look(in_days(last), [in_days(day) for day in days])

    thresholds = [threshold for _, threshold in said]
    assert len(set(thresholds)) == len(thresholds) <= len(THRESHOLDS)
    assert thresholds == sorted(thresholds, reverse=True)
    for day, threshold in said:
        left = (in_days(last) - day).days
        assert 0 <= left <= threshold
    looked_in_time = [day for day in days if 0 <= last - day <= FARTHEST.days]
    assert bool(said) == bool(looked_in_time), "who is looked at in time is told"
