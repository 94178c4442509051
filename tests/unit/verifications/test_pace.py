import itertools
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.verifications.pace import (
    FAILURES_TO_OPEN,
    LONGEST_ASKED_FOR,
    Breaker,
    Pace,
    answered,
    change_after,
    closed_until,
    failed,
    refused,
    slots,
    taken,
    throttled,
)

NOW = datetime(2026, 11, 20, 5, tzinfo=UTC)
FRESH = Pace(next_free_at=NOW)
SECOND = timedelta(seconds=1)


def ask(pace, now=NOW, wanted=100, rate=10, ahead=2):
    return slots(pace, now, wanted=wanted, rate=rate, ahead=ahead)


def test_two_seconds_worth_is_leased_and_evenly_spaced():
    found = ask(FRESH)
    assert found.count == 20
    assert found.at(0) == NOW
    assert found.at(19) == NOW + 1.9 * SECOND


def test_the_next_pump_gets_the_slots_after_those_taken():
    pace = taken(FRESH, NOW, ask(FRESH, wanted=15), 15)
    found = ask(pace)
    assert (found.count, found.first_at) == (5, NOW + 1.5 * SECOND)


def test_nobody_takes_slots_further_ahead_than_asked():
    pace = taken(FRESH, NOW, ask(FRESH), 20)
    assert ask(pace, ahead=1) is None


def test_unused_time_is_no_credit():
    assert ask(FRESH, now=NOW + 3600 * SECOND).count == 20


def test_a_rate_below_one_in_two_seconds_still_gets_its_one():
    assert ask(FRESH, rate=0.1).count == 1


@given(
    wishes=st.lists(
        st.tuples(st.floats(0, 5), st.integers(1, 60), st.integers(0, 60)), max_size=60
    ),
    rate=st.floats(0.2, 300),
)
def test_however_many_ask_the_allowed_rate_is_never_passed(wishes, rate):
    pace, now, asked = FRESH, NOW, []
    for wait, wanted, wished in wishes:
        now += timedelta(seconds=wait)
        found = ask(pace, now=now, wanted=wanted, rate=rate)
        if found is None:
            continue
        used = min(wished, found.count)
        asked += [found.at(index) for index in range(used)]
        pace = taken(pace, now, found, used)
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(asked)]
    assert all(gap >= 1 / rate - 1e-5 for gap in gaps)


def test_a_429_pauses_for_as_long_as_the_register_says():
    pace = throttled(FRESH, NOW, 90)
    assert closed_until(pace, NOW) == NOW + 90 * SECOND
    assert ask(pace, now=NOW + 89 * SECOND) is None
    assert ask(pace, now=NOW + 90 * SECOND) is not None


def test_without_a_word_the_pause_is_thirty_seconds_and_doubles_to_an_hour():
    pace, now, pauses = FRESH, NOW, []
    for _ in range(10):
        pace = throttled(pace, now, None)
        pauses.append((pace.paused_until - now).total_seconds())
        now = pace.paused_until
    assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


def test_what_was_in_flight_when_the_pause_began_does_not_double_it():
    once = throttled(FRESH, NOW, None)
    assert throttled(once, NOW + SECOND, None) == once


def test_a_later_end_named_by_the_register_is_kept_an_earlier_one_is_not():
    pace = throttled(FRESH, NOW, 60)
    assert closed_until(throttled(pace, NOW, 120), NOW) == NOW + 120 * SECOND
    assert closed_until(throttled(pace, NOW, 5), NOW) == NOW + 60 * SECOND


def test_an_answer_ends_the_doubling():
    later = NOW + 30 * SECOND
    pace = answered(throttled(FRESH, NOW, None), later)
    assert pace == FRESH
    assert closed_until(throttled(pace, later, None), later) == later + 30 * SECOND


def test_an_answer_that_was_in_flight_when_the_pause_began_does_not_end_it():
    pace = answered(failed(throttled(FRESH, NOW, 60), NOW, 3), NOW + SECOND)
    assert pace == throttled(FRESH, NOW, 60)
    assert ask(pace, now=NOW + 59 * SECOND) is None
    assert answered(refused(FRESH, NOW, "no"), NOW + SECOND).account_error == "no"


def test_a_few_failures_open_nothing():
    pace = failed(FRESH, NOW, FAILURES_TO_OPEN - 1)
    assert pace.breaker is Breaker.CLOSED
    assert ask(answered(pace, NOW)).count == 20


def test_many_failures_in_a_row_open_the_breaker_and_one_probe_goes_out_every_30_seconds():
    pace, now, asked = failed(FRESH, NOW, FAILURES_TO_OPEN), NOW, []
    while now < NOW + 300 * SECOND:
        found = ask(pace, now=now)
        if found is not None:
            asked.append((now, found.count))
            pace = taken(pace, now, found, found.count)
            pace = failed(pace, now + SECOND)
        now += SECOND
    assert [count for _, count in asked] == [1] * len(asked)
    gaps = [(b[0] - a[0]).total_seconds() for a, b in itertools.pairwise(asked)]
    assert len(asked) == 9
    assert all(30 <= gap <= 31 for gap in gaps)


def test_while_a_probe_is_out_nobody_else_asks():
    pace = failed(FRESH, NOW, FAILURES_TO_OPEN)
    later = NOW + 30 * SECOND
    pace = taken(pace, later, ask(pace, now=later), 1)
    assert pace.breaker is Breaker.HALF_OPEN
    assert ask(pace, now=later + SECOND) is None
    assert ask(answered(pace, later), now=later + SECOND).count == 20


def test_a_probe_that_never_came_back_is_followed_by_another():
    pace = failed(FRESH, NOW, FAILURES_TO_OPEN)
    pace = taken(pace, NOW + 30 * SECOND, ask(pace, now=NOW + 30 * SECOND), 1)
    assert ask(pace, now=NOW + 60 * SECOND).count == 1


def test_failures_of_what_was_in_flight_do_not_put_the_probe_off():
    pace = failed(FRESH, NOW, FAILURES_TO_OPEN)
    assert failed(pace, NOW + 9 * SECOND, 32).probe_at == pace.probe_at


def test_a_refused_account_pauses_and_then_sends_one_question():
    pace = refused(FRESH, NOW, "certificate refused")
    assert ask(pace) is None
    after = NOW + 30 * SECOND
    assert ask(pace, now=after).count == 1
    assert answered(pace, after).account_error is None
    out = taken(pace, after, ask(pace, now=after), 1)
    assert ask(out, now=after + SECOND) is None, "one probe at a time"
    again = refused(pace, after, "certificate refused")
    assert closed_until(again, after) == after + 60 * SECOND


TROUBLE = st.one_of(
    st.tuples(st.just("429"), st.none() | st.floats(-5, 1e6)),
    st.tuples(st.just("down"), st.integers(1, 40)),
    st.tuples(st.just("account"), st.just("no")),
)


@given(st.lists(st.tuples(st.floats(0, 4000), TROUBLE), max_size=30))
def test_no_trouble_lasts_longer_than_was_asked_for_and_one_answer_ends_it(happenings):
    pace, now = FRESH, NOW
    for wait, (what, value) in happenings:
        now += timedelta(seconds=wait)
        if what == "429":
            pace = throttled(pace, now, value)
        elif what == "down":
            pace = failed(pace, now, value)
        else:
            pace = refused(pace, now, value)
        until = closed_until(pace, now)
        assert until is None or until <= now + LONGEST_ASKED_FOR * SECOND
    over = answered(pace, now + (LONGEST_ASKED_FOR + 1) * SECOND)
    assert over == msgspec.structs.replace(FRESH, next_free_at=pace.next_free_at)
    assert not over.troubled


@pytest.mark.parametrize("wanted", [1, 7])
def test_no_more_is_taken_than_wanted(wanted):
    assert ask(FRESH, wanted=wanted).count == wanted


SILENCE = RegisterError(RegisterTrouble.UNAVAILABLE, "away")
GARBAGE = RegisterError(RegisterTrouble.GARBAGE, "html")
SLOWER = RegisterError(RegisterTrouble.THROTTLED, "slower", retry_after=90)
OURS = AccountError("certificate")


@pytest.mark.parametrize(
    ("errors", "answer", "expected"),
    [
        ([], False, FRESH),
        ([GARBAGE, ValueError("a bug")], False, FRESH),
        ([SILENCE] * 3, False, failed(FRESH, NOW, 3)),
        ([SILENCE] * 3, True, FRESH),
        ([SILENCE, SLOWER], False, throttled(FRESH, NOW, 90)),
        ([SILENCE, SLOWER], True, throttled(FRESH, NOW, 90)),
        ([SLOWER, OURS], True, refused(FRESH, NOW, "AccountError")),
    ],
)
def test_what_was_not_answered_changes_the_pace_by_the_weightiest_trouble(errors, answer, expected):
    change = change_after(errors, answered=answer)
    assert (change(FRESH, NOW) if change else FRESH) == expected
