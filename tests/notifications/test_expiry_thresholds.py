"""Expiry thresholds: each date and threshold once, only the lowest one reached; then once over."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.notifications.expiry import (
    EXPIRED,
    LOOKAHEAD,
    THRESHOLD_DAYS,
    WHOLE_DOCUMENT,
    reached_expiries,
    reached_threshold,
    unsent_expiries,
)
from prawko.notifications.payloads import Expiry

TODAY = date(2026, 11, 21)


def days_ahead(days: int) -> date:
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
        (-1, EXPIRED),
        (-4000, EXPIRED),
    ],
)
def test_the_lowest_threshold_reached_is_returned(days_left, threshold) -> None:
    assert reached_threshold(days_left, THRESHOLD_DAYS) == threshold


def test_the_document_and_each_category_have_their_own_dates_oldest_first() -> None:
    categories = [
        ("C", days_ahead(14)),
        ("B", None),
        ("AM", days_ahead(-300)),
        ("D", days_ahead(91)),
    ]

    expiries = reached_expiries(days_ahead(60), categories, TODAY)

    assert expiries == (
        Expiry(days_ahead(-300), "AM", EXPIRED),
        Expiry(days_ahead(14), "C", 14),
        Expiry(days_ahead(60), WHOLE_DOCUMENT, 60),
    )


def test_a_document_without_a_date_never_expires() -> None:
    assert reached_expiries(None, [("B", None)], TODAY) == ()


def test_a_category_listed_twice_is_reported_once() -> None:
    repeated = [("C", days_ahead(30)), ("C", days_ahead(30))]

    assert reached_expiries(None, repeated, TODAY) == (Expiry(days_ahead(30), "C", 30),)


def reminders_over_days(last_day: date, days: list[date]) -> list[tuple[date, int]]:
    """Return the reminders of one document, checked on these days."""
    sent: set[Expiry] = set()
    reminders = []
    for day in days:
        unsent = unsent_expiries(reached_expiries(last_day, [], day), sent)
        sent |= set(unsent)
        reminders += [(day, expiry.threshold) for expiry in unsent]
    return reminders


def test_checked_daily_each_threshold_is_sent_on_its_day() -> None:
    last_day = days_ahead(100)

    reminders = reminders_over_days(last_day, [days_ahead(n) for n in range(120)])

    assert reminders == [
        *((last_day - timedelta(days=days), days) for days in THRESHOLD_DAYS),
        (last_day + timedelta(days=1), EXPIRED),
    ]


def test_after_days_without_a_check_only_the_lowest_missed_threshold_is_sent() -> None:
    last_day = days_ahead(65)

    # 65 days before: "90". Then no check until 12 days before, past 60, 30 and 14.
    reminders = reminders_over_days(
        last_day, [TODAY, TODAY, days_ahead(53), days_ahead(54), days_ahead(58), days_ahead(65)]
    )

    assert reminders == [(TODAY, 90), (days_ahead(53), 14), (days_ahead(58), 7)]


def test_a_renewed_date_starts_over_and_a_restored_one_is_not_sent_again() -> None:
    sent = set(reached_expiries(days_ahead(20), [], TODAY))

    assert unsent_expiries(reached_expiries(days_ahead(25), [], TODAY), sent) == (
        Expiry(days_ahead(25), WHOLE_DOCUMENT, 30),
    )
    assert unsent_expiries(reached_expiries(days_ahead(20), [], TODAY), sent) == ()


@given(st.integers(0, 400), st.lists(st.integers(0, 400), max_size=60).map(sorted))
def test_a_date_is_sent_at_most_once_for_each_threshold_and_once_when_over(last, days) -> None:
    reminders = reminders_over_days(days_ahead(last), [days_ahead(day) for day in days])

    thresholds = [threshold for _, threshold in reminders]
    assert len(set(thresholds)) == len(thresholds) <= len(THRESHOLD_DAYS) + 1
    assert thresholds == sorted(thresholds, reverse=True)
    for day, threshold in reminders:
        remaining_days = (days_ahead(last) - day).days
        assert 0 <= remaining_days <= threshold or remaining_days < 0 == threshold + 1
    looked_in_time = [day for day in days if last - day <= LOOKAHEAD.days]
    assert bool(reminders) == bool(looked_in_time), "who is looked at in time is told"
