"""When a subscription with a mandate is charged, closed and given up."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.periods import paid_end
from prawko.billing.renewals import (
    CHARGES,
    Step,
    due_step,
    grace_end,
    in_grace,
    next_charge_at,
    timetable,
)

HOUR, DAY, MOMENT = timedelta(hours=1), timedelta(days=1), timedelta(microseconds=1)
ENDS = st.datetimes(
    datetime(2024, 1, 1),  # noqa: DTZ001  the strategy makes them aware
    datetime(2040, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


END = utc("2026-11-28T14:30:00+01:00")


@pytest.mark.parametrize(
    ("end", "times"),
    [
        (
            "2026-11-28T14:30:00+01:00",
            ["2026-11-27T14:30+01:00", "2026-11-27T20:30+01:00", "2026-11-28T08:30+01:00",
             "2026-11-28T14:30+01:00", "2026-12-01T14:30+01:00"],
        ),
        (  # the long day of October lies before the end
            "2026-10-25T14:30:00+01:00",
            ["2026-10-24T14:30+02:00", "2026-10-24T20:30+02:00", "2026-10-25T07:30+01:00",
             "2026-10-25T14:30+01:00", "2026-10-28T14:30+01:00"],
        ),
        (  # the short day of March, and the grace over it
            "2027-03-28T14:30:00+02:00",
            ["2027-03-27T14:30+01:00", "2027-03-27T20:30+01:00", "2027-03-28T09:30+02:00",
             "2027-03-28T14:30+02:00", "2027-03-31T14:30+02:00"],
        ),
        (
            "2027-03-26T14:30:00+01:00",
            ["2027-03-25T14:30+01:00", "2027-03-25T20:30+01:00", "2027-03-26T08:30+01:00",
             "2027-03-26T14:30+01:00", "2027-03-29T14:30+02:00"],
        ),
    ],
)  # fmt: skip
def test_the_timetable_of_an_end(end, times) -> None:
    assert list(timetable(utc(end)).items()) == list(
        zip(Step, (utc(time) for time in times), strict=True)
    )


@given(ENDS)
def test_all_charges_are_meant_to_come_before_the_end(end) -> None:
    times = list(timetable(end).values())

    assert times == sorted(set(times))
    assert times[2] < times[3] == end


@pytest.mark.parametrize(
    ("done", "now", "step"),
    [
        ({}, END - DAY - MOMENT, None),
        ({}, END - DAY, Step.FIRST_CHARGE),
        ({1: END - DAY}, END - 18 * HOUR - MOMENT, None),
        ({1: END - DAY}, END - 18 * HOUR, Step.SECOND_CHARGE),
        ({1: END - DAY, 2: END - 18 * HOUR}, END - 6 * HOUR - MOMENT, None),
        ({1: END - DAY, 2: END - 18 * HOUR}, END - 6 * HOUR, Step.THIRD_CHARGE),
        ({1: END - DAY, 2: END - 18 * HOUR, 3: END - 6 * HOUR}, END - MOMENT, None),
        ({1: END - DAY, 2: END - 18 * HOUR, 3: END - 6 * HOUR}, END, Step.CLOSING),
        ({1: END, 2: END, 3: END, 4: END}, END + 3 * DAY - MOMENT, None),
        ({1: END, 2: END, 3: END, 4: END}, END + 3 * DAY, Step.GRACE_END),
        ({1: END, 2: END, 3: END, 4: END, 5: END + 3 * DAY}, END + 30 * DAY, None),
        # outages
        ({1: END - HOUR}, END, Step.CLOSING),  # the second charge waits its six hours
        ({1: END - HOUR, 4: END}, END + 5 * HOUR, Step.SECOND_CHARGE),
        ({1: END - DAY, 2: END - HOUR, 4: END}, END + 10 * HOUR, None),
        ({1: END - DAY, 2: END - HOUR, 4: END}, END + 11 * HOUR, Step.THIRD_CHARGE),
        ({}, END + 2 * DAY, Step.FIRST_CHARGE),
        ({}, END + 3 * DAY, Step.GRACE_END),  # nobody is charged any more
    ],
)
def test_one_step_is_due_at_a_time(done, now, step) -> None:
    taken = {list(Step)[number - 1]: at for number, at in done.items()}

    assert due_step(END, taken, now) is step


@pytest.mark.parametrize(
    ("done", "following"),
    [
        ({}, END - DAY),
        ({1: END - DAY}, END - 18 * HOUR),
        ({1: END - DAY, 2: END - 17 * HOUR}, END - 5 * HOUR),
        ({1: END - DAY, 2: END - 18 * HOUR, 3: END - 6 * HOUR}, None),
        ({1: END + 2 * DAY + 18 * HOUR}, None),  # the grace would be over
        ({1: END + 2 * DAY + 17 * HOUR}, END + 2 * DAY + 23 * HOUR),
    ],
)
def test_a_refusal_says_when_the_next_charge_is_tried(done, following) -> None:
    taken = {list(Step)[number - 1]: at for number, at in done.items()}

    assert next_charge_at(END, taken) == following


@given(ENDS, st.lists(st.integers(1, 40 * 60), min_size=1, max_size=60))
def test_no_outage_makes_a_step_come_twice_early_or_in_a_hurry(end, waits) -> None:
    now, done = end - 2 * DAY, {}
    for minutes in waits:
        now += timedelta(minutes=minutes)
        step = due_step(end, done, now)
        if step is not None:
            assert step not in done
            assert step is Step.SECOND_CHARGE or now >= timetable(end)[step]
            done[step] = now
            assert due_step(end, done, now) not in CHARGES, "two charges at once"

    charged = [done[step] for step in CHARGES if step in done]
    assert [step for step in CHARGES if step in done] == list(CHARGES[: len(charged)])
    assert all(at < grace_end(end) for at in charged)
    assert all(later - at >= 6 * HOUR for at, later in pairwise(charged))
    if Step.GRACE_END in done:
        assert done[Step.GRACE_END] == max(done.values())


@given(ENDS)
def test_a_worker_that_is_never_late_takes_every_step_on_time(end) -> None:
    now, done = end - 2 * DAY, {}
    while now < end + 4 * DAY:
        step = due_step(end, done, now)
        if step is not None:
            done[step] = now
        now += HOUR

    assert list(done) == list(Step)
    for step, at in timetable(end).items():
        assert timedelta(0) <= done[step] - at < 3 * HOUR  # each tick is up to an hour late


@pytest.mark.parametrize(
    ("now", "grace"),
    [
        (END - MOMENT, False),
        (END, True),
        (END + 3 * DAY - MOMENT, True),
        (END + 3 * DAY, False),
    ],
)
def test_the_grace_begins_with_the_end_and_lasts_three_days(now, grace) -> None:
    assert in_grace(END, now) is grace


@given(ENDS)
def test_a_charge_that_succeeds_begins_a_new_timetable(end) -> None:
    charged = timetable(end)[Step.FIRST_CHARGE]
    new_end = paid_end(end, charged)

    assert due_step(new_end, {}, charged) is None
    assert due_step(new_end, {}, end) is None
    assert due_step(new_end, {}, timetable(new_end)[Step.FIRST_CHARGE]) is Step.FIRST_CHARGE
