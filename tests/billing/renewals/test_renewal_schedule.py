"""The schedule of a renewal: charges, closing, end of the grace period (docs/rules.md T4)."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.renewals.step_times import step_times
from prawko.billing.models import RenewalStepKind, grace_end
from prawko.billing.periods import extend_end
from prawko.billing.renewal_schedule import CHARGE_STEPS, due_step, next_charge_at

HOUR, DAY, INSTANT = timedelta(hours=1), timedelta(days=1), timedelta(microseconds=1)
ENDS = st.datetimes(
    datetime(2024, 1, 1),  # noqa: DTZ001  the strategy makes them aware
    datetime(2040, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


def parse_utc(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


END = parse_utc("2026-11-28T14:30:00+01:00")


@pytest.mark.parametrize(
    ("end", "times"),
    [
        (
            "2026-11-28T14:30:00+01:00",
            ["2026-11-27T14:30+01:00", "2026-11-27T20:30+01:00", "2026-11-28T08:30+01:00",
             "2026-11-28T14:30+01:00", "2026-12-01T14:30+01:00"],
        ),
        (  # with the 25-hour day of October
            "2026-10-25T14:30:00+01:00",
            ["2026-10-24T14:30+02:00", "2026-10-24T20:30+02:00", "2026-10-25T07:30+01:00",
             "2026-10-25T14:30+01:00", "2026-10-28T14:30+01:00"],
        ),
        (  # with the 23-hour day of March
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
def test_an_end_has_its_schedule(end, times) -> None:
    expected = dict(zip(RenewalStepKind, map(parse_utc, times), strict=True))
    end, completed = parse_utc(end), {}

    assert step_times(end) == expected
    for step, at in expected.items():
        assert due_step(end, completed, at - INSTANT) is None
        assert due_step(end, completed, at) is step
        completed[step] = at


@given(ENDS)
def test_all_charges_are_scheduled_before_the_end(end) -> None:
    times = list(step_times(end).values())

    assert times == sorted(set(times))
    assert times[2] < times[3] == end


@pytest.mark.parametrize(
    ("taken_steps", "now", "step"),
    [
        ({}, END - DAY - INSTANT, None),
        ({}, END - DAY, RenewalStepKind.FIRST_CHARGE),
        ({1: END - DAY}, END - 18 * HOUR - INSTANT, None),
        ({1: END - DAY}, END - 18 * HOUR, RenewalStepKind.SECOND_CHARGE),
        ({1: END - DAY, 2: END - 18 * HOUR}, END - 6 * HOUR - INSTANT, None),
        ({1: END - DAY, 2: END - 18 * HOUR}, END - 6 * HOUR, RenewalStepKind.THIRD_CHARGE),
        ({1: END - DAY, 2: END - 18 * HOUR, 3: END - 6 * HOUR}, END - INSTANT, None),
        ({1: END - DAY, 2: END - 18 * HOUR, 3: END - 6 * HOUR}, END, RenewalStepKind.CLOSING),
        ({1: END, 2: END, 3: END, 4: END}, END + 3 * DAY - INSTANT, None),
        ({1: END, 2: END, 3: END, 4: END}, END + 3 * DAY, RenewalStepKind.GRACE_END),
        ({1: END, 2: END, 3: END, 4: END, 5: END + 3 * DAY}, END + 30 * DAY, None),
        # outages
        (
            {1: END - HOUR},
            END,
            RenewalStepKind.CLOSING,
        ),  # the second charge is due six hours after the first
        ({1: END - HOUR, 4: END}, END + 5 * HOUR, RenewalStepKind.SECOND_CHARGE),
        ({1: END - DAY, 2: END - HOUR, 4: END}, END + 10 * HOUR, None),
        ({1: END - DAY, 2: END - HOUR, 4: END}, END + 11 * HOUR, RenewalStepKind.THIRD_CHARGE),
        ({}, END + 2 * DAY, RenewalStepKind.FIRST_CHARGE),
        ({}, END + 3 * DAY, RenewalStepKind.GRACE_END),  # nothing is charged any more
    ],
)
def test_the_step_that_is_due(taken_steps, now, step) -> None:
    taken = {list(RenewalStepKind)[number - 1]: at for number, at in taken_steps.items()}

    assert due_step(END, taken, now) is step


@pytest.mark.parametrize(
    ("taken_steps", "next_charge"),
    [
        ({}, END - DAY),
        ({1: END - DAY}, END - 18 * HOUR),
        ({1: END - DAY, 2: END - 17 * HOUR}, END - 5 * HOUR),
        ({1: END - DAY, 2: END - 18 * HOUR, 3: END - 6 * HOUR}, None),
        ({1: END + 2 * DAY + 18 * HOUR}, None),  # it would be after the grace period
        ({1: END + 2 * DAY + 17 * HOUR}, END + 2 * DAY + 23 * HOUR),
    ],
)
def test_the_time_of_the_next_charge(taken_steps, next_charge) -> None:
    taken = {list(RenewalStepKind)[number - 1]: at for number, at in taken_steps.items()}

    assert next_charge_at(END, taken) == next_charge


@given(ENDS, st.lists(st.integers(1, 40 * 60), min_size=1, max_size=60))
def test_after_an_outage_no_step_is_repeated_early_or_too_close_to_the_last(end, delays) -> None:
    now, taken = end - 2 * DAY, {}
    for minutes in delays:
        now += timedelta(minutes=minutes)
        step = due_step(end, taken, now)
        if step is not None:
            assert step not in taken
            assert step is RenewalStepKind.SECOND_CHARGE or now >= step_times(end)[step]
            taken[step] = now
            assert due_step(end, taken, now) not in CHARGE_STEPS, "two charges at once"

    charged = [taken[step] for step in CHARGE_STEPS if step in taken]
    assert [step for step in CHARGE_STEPS if step in taken] == list(CHARGE_STEPS[: len(charged)])
    assert all(at < grace_end(end) for at in charged)
    assert all(later - at >= 6 * HOUR for at, later in pairwise(charged))
    if RenewalStepKind.GRACE_END in taken:
        assert taken[RenewalStepKind.GRACE_END] == max(taken.values())


@given(ENDS)
def test_without_delays_every_step_is_taken_on_time(end) -> None:
    now, taken = end - 2 * DAY, {}
    while now < end + 4 * DAY:
        step = due_step(end, taken, now)
        if step is not None:
            taken[step] = now
        now += HOUR

    assert list(taken) == list(RenewalStepKind)
    for step, at in step_times(end).items():
        assert timedelta(0) <= taken[step] - at < 3 * HOUR  # each run is up to an hour late


def test_the_grace_period_lasts_three_days() -> None:
    assert grace_end(END) == END + 3 * DAY


@given(ENDS)
def test_a_successful_charge_begins_a_new_schedule(end) -> None:
    charged = step_times(end)[RenewalStepKind.FIRST_CHARGE]
    new_end = extend_end(end, charged)

    assert due_step(new_end, {}, charged) is None
    assert due_step(new_end, {}, end) is None
    assert (
        due_step(new_end, {}, step_times(new_end)[RenewalStepKind.FIRST_CHARGE])
        is RenewalStepKind.FIRST_CHARGE
    )
