import itertools
import math
from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.providers.availability import (
    LONGEST_PAUSE,
    BreakerState,
    on_account_rejected,
    on_failures,
    on_success,
    on_throttled,
    unavailable_until,
)
from prawko.kit.providers.evidence import MAX_SUBJECTS, FailedCall
from prawko.verifications.register.rate_limit_policy import (
    FAILURE_THRESHOLD,
    MAX_HORIZON,
    LimiterState,
    after_reservation,
    max_reserved,
    reserve_slots,
    transition_for,
    without_future_times,
)

NOW = datetime(2026, 11, 20, 5, tzinfo=UTC)
FRESH = LimiterState(next_free_at=NOW)
SECOND = timedelta(seconds=1)
UNAVAILABLE = RegisterError(RegisterErrorKind.UNAVAILABLE, "away")
INVALID_RESPONSE = RegisterError(RegisterErrorKind.INVALID_RESPONSE, "html")
THROTTLED = RegisterError(RegisterErrorKind.RATE_LIMITED, "slower", retry_after=90)
ACCOUNT_REJECTED = ProviderAccountError("certificate")


def failed_query(error, *, tenant=1, driver=1, is_known=True):
    return FailedCall(
        error=error, tenant_id=UUID(int=tenant), subject_id=UUID(int=driver), is_known=is_known
    )


def failures(count):
    return [failed_query(UNAVAILABLE)] * count


REJECTIONS = [failed_query(ACCOUNT_REJECTED)]


def reserve_at(state, now=NOW, max_slots=100, rate=10, horizon=2):
    return reserve_slots(state, now, max_slots=max_slots, rate=rate, horizon=horizon)


def test_slots_within_the_horizon_are_evenly_spaced():
    reservation = reserve_at(FRESH)
    assert reservation.count == 20
    assert reservation.slot_time(0) == NOW
    assert reservation.slot_time(19) == NOW + 1.9 * SECOND


def test_the_next_worker_gets_the_slots_after_those_reserved():
    state = after_reservation(FRESH, NOW, reserve_at(FRESH, max_slots=15), 15)
    reservation = reserve_at(state)
    assert (reservation.count, reservation.first_at) == (5, NOW + 1.5 * SECOND)


def test_no_slot_is_reserved_beyond_the_horizon():
    state = after_reservation(FRESH, NOW, reserve_at(FRESH), 20)
    assert reserve_at(state, horizon=1) is None


def test_unused_slots_are_no_credit():
    assert reserve_at(FRESH, now=NOW + 3600 * SECOND).count == 20


def test_a_low_rate_still_gets_one_slot():
    assert reserve_at(FRESH, rate=0.1).count == 1


@given(
    requests=st.lists(
        st.tuples(st.floats(0, 5), st.integers(1, 60), st.integers(0, 60)), max_size=60
    ),
    rate=st.floats(0.2, 300),
)
def test_concurrent_reservations_never_exceed_the_rate(requests, rate):
    state, now, slot_times = FRESH, NOW, []
    for delay, max_slots, used_slots in requests:
        now += timedelta(seconds=delay)
        reservation = reserve_at(state, now=now, max_slots=max_slots, rate=rate)
        if reservation is None:
            continue
        used_count = min(used_slots, reservation.count)
        slot_times += [reservation.slot_time(index) for index in range(used_count)]
        state = after_reservation(state, now, reservation, used_count)
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(slot_times)]
    assert all(gap >= 1 / rate - 1e-5 for gap in gaps)


def test_a_429_pauses_for_its_retry_after():
    state = on_throttled(FRESH, NOW, 90)
    assert unavailable_until(state, NOW) == NOW + 90 * SECOND
    assert reserve_at(state, now=NOW + 89 * SECOND) is None
    assert reserve_at(state, now=NOW + 90 * SECOND) is not None


def test_without_a_retry_after_the_pause_is_thirty_seconds_and_doubles_to_an_hour():
    state, now, pauses = FRESH, NOW, []
    for _ in range(10):
        state = on_throttled(state, now, None)
        pauses.append((state.paused_until - now).total_seconds())
        now = state.paused_until
    assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


def test_a_429_of_a_query_in_flight_does_not_double_the_pause():
    single = on_throttled(FRESH, NOW, None)
    assert on_throttled(single, NOW + SECOND, None) == single


def test_a_retry_after_extends_a_pause_but_never_shortens_it():
    state = on_throttled(FRESH, NOW, 60)
    assert unavailable_until(on_throttled(state, NOW, 120), NOW) == NOW + 120 * SECOND
    assert unavailable_until(on_throttled(state, NOW, 5), NOW) == NOW + 60 * SECOND


def test_a_success_resets_the_doubling():
    later = NOW + 30 * SECOND
    state = on_success(on_throttled(FRESH, NOW, None), later)
    assert state == FRESH
    assert unavailable_until(on_throttled(state, later, None), later) == later + 30 * SECOND


def test_a_success_in_flight_when_the_pause_started_does_not_end_it():
    state = on_success(on_failures(on_throttled(FRESH, NOW, 60), NOW, failures(3)), NOW + SECOND)
    assert state == on_throttled(FRESH, NOW, 60)
    assert reserve_at(state, now=NOW + 59 * SECOND) is None
    rejected = on_account_rejected(FRESH, NOW, REJECTIONS)
    assert on_success(rejected, NOW + SECOND).account_error == "ProviderAccountError"


def test_a_few_failures_do_not_open_the_breaker():
    state = on_failures(FRESH, NOW, failures(FAILURE_THRESHOLD - 1))
    assert state.breaker is BreakerState.CLOSED
    assert reserve_at(on_success(state, NOW)).count == 20


def test_many_failures_open_the_breaker_with_a_probe_every_30_seconds():
    state, now, probes = on_failures(FRESH, NOW, failures(FAILURE_THRESHOLD)), NOW, []
    while now < NOW + 300 * SECOND:
        reservation = reserve_at(state, now=now)
        if reservation is not None:
            probes.append((now, reservation.count))
            state = after_reservation(state, now, reservation, reservation.count)
            state = on_failures(state, now + SECOND, failures(1))
        now += SECOND
    assert [count for _, count in probes] == [1] * len(probes)
    gaps = [(b[0] - a[0]).total_seconds() for a, b in itertools.pairwise(probes)]
    assert len(probes) == 9
    assert all(30 <= gap <= 31 for gap in gaps)


def test_no_other_query_is_sent_while_a_probe_is_in_flight():
    state = on_failures(FRESH, NOW, failures(FAILURE_THRESHOLD))
    later = NOW + 30 * SECOND
    state = after_reservation(state, later, reserve_at(state, now=later), 1)
    assert state.breaker is BreakerState.HALF_OPEN
    assert reserve_at(state, now=later + SECOND) is None
    assert reserve_at(on_success(state, later), now=later + SECOND).count == 20


def test_a_lost_probe_is_followed_by_another():
    state = on_failures(FRESH, NOW, failures(FAILURE_THRESHOLD))
    state = after_reservation(state, NOW + 30 * SECOND, reserve_at(state, now=NOW + 30 * SECOND), 1)
    assert reserve_at(state, now=NOW + 60 * SECOND).count == 1


def test_failures_in_flight_do_not_delay_the_probe():
    state = on_failures(FRESH, NOW, failures(FAILURE_THRESHOLD))
    assert on_failures(state, NOW + 9 * SECOND, failures(32)).probe_at == state.probe_at


def test_a_rejected_account_pauses_and_then_sends_one_probe():
    state = on_account_rejected(FRESH, NOW, REJECTIONS)
    assert reserve_at(state) is None
    after = NOW + 30 * SECOND
    assert reserve_at(state, now=after).count == 1
    assert on_success(state, after).account_error is None
    released = after_reservation(state, after, reserve_at(state, now=after), 1)
    assert reserve_at(released, now=after + SECOND) is None, "one probe at a time"
    repeated = on_account_rejected(state, after, REJECTIONS)
    assert unavailable_until(repeated, after) == after + 60 * SECOND


ERRORS = st.one_of(
    st.tuples(st.just("429"), st.none() | st.floats()),
    st.tuples(st.just("down"), st.integers(1, 40)),
    st.tuples(st.just("account"), st.just("no")),
)


@given(st.lists(st.tuples(st.floats(0, 4000), ERRORS), max_size=30))
def test_no_pause_exceeds_the_maximum_and_a_success_resets_the_state(events):
    state, now = FRESH, NOW
    for delay, (kind, value) in events:
        now += timedelta(seconds=delay)
        if kind == "429":
            state = on_throttled(state, now, value)
        elif kind == "down":
            state = on_failures(state, now, failures(value))
        else:
            state = on_account_rejected(state, now, REJECTIONS)
        blocked_time = unavailable_until(state, now)
        assert blocked_time is None or blocked_time <= now + LONGEST_PAUSE
    reset = on_success(state, now + LONGEST_PAUSE + SECOND)
    assert reset == msgspec.structs.replace(FRESH, next_free_at=state.next_free_at)
    assert not reset.is_degraded


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [(0, 1), (-5, 1), (math.nan, 30), (math.inf, 86_400), (315_360_000, 86_400), ("soon", 30)],
)
def test_the_pause_that_a_register_names_has_bounds(retry_after, seconds):
    state = on_throttled(FRESH, NOW, retry_after)
    assert unavailable_until(state, NOW) == NOW + seconds * SECOND


def new_document(tenant, driver, error=ACCOUNT_REJECTED):
    return failed_query(error, tenant=tenant, driver=driver, is_known=False)


def test_a_refused_account_is_believed_of_two_companies_or_of_a_known_document():
    first = on_account_rejected(FRESH, NOW, [new_document(tenant=1, driver=1)])
    again = on_account_rejected(first, NOW, [new_document(tenant=1, driver=1)])
    colleague = on_account_rejected(again, NOW, [new_document(tenant=1, driver=2)])
    for state in (first, again, colleague):
        assert state.account_error is None
        assert reserve_at(state) is not None

    for believed in (new_document(tenant=2, driver=3), failed_query(ACCOUNT_REJECTED)):
        state = on_account_rejected(colleague, NOW, [believed])
        assert state.account_error == "ProviderAccountError"
        assert reserve_at(state) is None
    assert not on_success(colleague, NOW).is_degraded, "an answer refutes it"


def test_an_account_refused_for_many_documents_of_the_only_company_is_believed():
    refused = [new_document(tenant=1, driver=number) for number in range(MAX_SUBJECTS)]
    assert on_account_rejected(FRESH, NOW, refused[:-1]).account_error is None
    assert on_account_rejected(FRESH, NOW, refused).account_error is not None


def test_two_drivers_of_one_company_cannot_open_the_breaker():
    state = FRESH
    for number in range(3 * FAILURE_THRESHOLD):
        failed = [new_document(tenant=1, driver=number % 2, error=UNAVAILABLE)]
        state = on_failures(state, NOW, failed)
    assert state.breaker is BreakerState.CLOSED
    assert reserve_at(state) is not None

    other = [new_document(tenant=2, driver=9, error=UNAVAILABLE)]
    assert on_failures(state, NOW, other).breaker is BreakerState.OPEN


@pytest.mark.parametrize("max_slots", [1, 7])
def test_at_most_max_slots_are_reserved(max_slots):
    assert reserve_at(FRESH, max_slots=max_slots).count == max_slots


@pytest.mark.parametrize(
    ("errors", "any_success", "expected"),
    [
        ([], False, FRESH),
        ([INVALID_RESPONSE, ValueError("a bug")], False, FRESH),
        ([UNAVAILABLE] * 3, False, on_failures(FRESH, NOW, failures(3))),
        ([UNAVAILABLE] * 3, True, FRESH),
        ([UNAVAILABLE, THROTTLED], False, on_throttled(FRESH, NOW, 90)),
        ([UNAVAILABLE, THROTTLED], True, on_throttled(FRESH, NOW, 90)),
        ([THROTTLED, ACCOUNT_REJECTED], False, on_account_rejected(FRESH, NOW, REJECTIONS)),
        ([ACCOUNT_REJECTED], True, FRESH),
    ],
)
def test_the_most_severe_error_of_a_batch_decides_the_transition(errors, any_success, expected):
    failed = [failed_query(error) for error in errors]
    transition = transition_for(failed, any_success=any_success)
    assert (transition(FRESH, NOW) if transition else FRESH) == expected


@pytest.mark.parametrize("ahead", [timedelta(hours=2), timedelta(days=400)], ids=["hours", "days"])
def test_times_that_a_wrong_clock_has_set_are_not_believed(ahead):
    wrong = NOW + ahead
    taken = after_reservation(FRESH, wrong, reserve_at(FRESH, now=wrong), 20)
    states = [
        taken,
        on_failures(FRESH, wrong, failures(FAILURE_THRESHOLD)),
        on_throttled(FRESH, wrong, 60),
        on_account_rejected(FRESH, wrong, REJECTIONS),
    ]
    for state in states:
        assert reserve_at(state) is None
        believed = without_future_times(state, NOW, max_reserved(10))
        assert reserve_at(believed).first_at == NOW


@given(
    steps=st.lists(st.tuples(st.integers(0, 5), st.floats(0, 90), st.floats(0, 100_000))),
    rate=st.floats(0.1, 300),
    horizon=st.floats(0, MAX_HORIZON),
)
def test_times_that_the_rules_set_are_believed(steps, rate, horizon):
    state, now = FRESH, NOW
    for step, delay, retry_after in steps:
        now += timedelta(seconds=delay)
        reservation = reserve_at(state, now=now, rate=rate, horizon=horizon)
        if step == 0 and reservation is not None:
            state = after_reservation(state, now, reservation, reservation.count)
        elif step == 1:
            state = on_failures(state, now, failures(FAILURE_THRESHOLD))
        elif step == 2:
            state = on_throttled(state, now, retry_after)
        elif step == 3:
            state = on_throttled(state, now, None)
        elif step == 4:
            state = on_account_rejected(state, now, REJECTIONS)
        elif step == 5:
            state = on_success(state, now)
        assert without_future_times(state, now, max_reserved(rate)) == state
