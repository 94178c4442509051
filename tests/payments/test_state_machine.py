"""The state machine: every observation in every state, and the effect of time."""

import itertools
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.payments import Money, PaymentRef, PaymentState, ProviderPayment
from prawko.payments.models import DiscrepancyKind
from prawko.payments.state_machine import (
    POLL_INTERVAL,
    RECHECK_DELAYS,
    UNKNOWN_TIMEOUT,
    Observation,
    PaymentRecordState,
    Transition,
    classify_payment,
    decide_scheduled_transition,
    decide_transition,
    next_poll_at,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
PRICE = Money(18327)


# The state after each observation, in the order of Observation; `-` changes nothing, `!` reports.
CASES = {
    # unknown open authorized paid paid_twice wrong_amount wrong_currency failed refunded disputed
    "starting": "- open open paid paid mismatched! mismatched! failed refunded mismatched!",
    "open": "- - - paid paid mismatched! mismatched! failed refunded mismatched!",
    "failed": "- - - paid paid mismatched! mismatched! - refunded mismatched!",
    "expired": "- - - paid paid mismatched! mismatched! - refunded mismatched!",
    "mismatched": "- - - paid paid -! -! failed refunded -!",
    "paid": "- - - - -! -! -! - refunded -!",
    "refunded": "- - - - -! - - - - -",
}


@pytest.mark.parametrize("state", PaymentRecordState)
def test_an_observation_does_what_the_table_says(state) -> None:
    for observation, cell in zip(Observation, CASES[state.value].split(), strict=True):
        after = PaymentRecordState(cell.strip("!").replace("-", state.value))
        expected = Transition(after, is_discrepancy=cell.endswith("!"))
        assert decide_transition(state, observation) == expected, observation
        assert not expected.is_discrepancy or DiscrepancyKind(observation.value)


observation_lists = st.lists(st.sampled_from(Observation), max_size=30)


def run_observations(observations: list[Observation]) -> list[PaymentRecordState]:
    states = [PaymentRecordState.STARTING]
    for observation in observations:
        states.append(decide_transition(states[-1], observation).state)
    return states


@given(observation_lists)
def test_any_observations_pay_once_and_refund_once(observations) -> None:
    states = run_observations(observations)
    changes = [after for before, after in itertools.pairwise(states) if after is not before]

    assert changes.count(PaymentRecordState.PAID) <= 1
    assert changes.count(PaymentRecordState.REFUNDED) <= 1
    if PaymentRecordState.REFUNDED in changes:
        assert changes[-1] is PaymentRecordState.REFUNDED


@given(observation_lists)
def test_a_paid_payment_never_becomes_unpaid(observations) -> None:
    for first, observation in enumerate(observations):
        if observation in {Observation.PAID, Observation.PAID_TWICE}:
            states = run_observations(observations)[first + 1 :]
            assert set(states) <= {PaymentRecordState.PAID, PaymentRecordState.REFUNDED}


@given(observation_lists, st.sampled_from(Observation))
def test_the_same_observation_again_changes_nothing(observations, observation) -> None:
    *_, single = run_observations([*observations, observation])

    assert decide_transition(single, observation).state is single


PAID = ProviderPayment(ref=PaymentRef("K", "1"), state=PaymentState.PAID, money=PRICE)
CLASSIFIED = [
    (None, None, Observation.UNKNOWN),
    (PAID, None, Observation.PAID),
    (PAID, "1", Observation.PAID),
    (PAID, "2", Observation.PAID_TWICE),
    (msgspec.structs.replace(PAID, ref=PaymentRef("K")), "1", Observation.PAID),
    (msgspec.structs.replace(PAID, money=Money(18326)), None, Observation.WRONG_AMOUNT),
    (msgspec.structs.replace(PAID, money=Money(18327, "EUR")), None, Observation.WRONG_CURRENCY),
    (msgspec.structs.replace(PAID, money=Money(1, "EUR")), "2", Observation.WRONG_CURRENCY),
    (msgspec.structs.replace(PAID, state=PaymentState.AUTHORIZED), "2", Observation.AUTHORIZED),
    (
        msgspec.structs.replace(PAID, state=PaymentState.AUTHORIZED, money=Money(1)),
        None,
        Observation.WRONG_AMOUNT,
    ),
    # The amount of an unpaid payment does not count.
    (
        msgspec.structs.replace(PAID, state=PaymentState.OPEN, money=Money(1, "EUR")),
        None,
        Observation.OPEN,
    ),
    (
        msgspec.structs.replace(PAID, state=PaymentState.FAILED, money=Money(1)),
        None,
        Observation.FAILED,
    ),
    (
        msgspec.structs.replace(PAID, state=PaymentState.REFUNDED, money=Money(1)),
        "1",
        Observation.REFUNDED,
    ),
]


@pytest.mark.parametrize(
    ("answer", "recorded", "observation"), CLASSIFIED, ids=range(len(CLASSIFIED))
)
def test_the_answer_is_compared_with_the_request(answer, recorded, observation) -> None:
    assert classify_payment(answer, PRICE, recorded) is observation


def transition_at(
    state: PaymentRecordState,
    observation: Observation,
    *,
    age=MINUTE,
    left: timedelta | None = MINUTE,
) -> Transition:
    return decide_scheduled_transition(
        state,
        observation,
        created_at=NOW - age,
        expires_at=None if left is None else NOW + left,
        now=NOW,
    )


@pytest.mark.parametrize("observation", Observation)
def test_before_the_deadline_only_the_observation_counts(observation) -> None:
    for state in PaymentRecordState:
        assert transition_at(state, observation) == decide_transition(state, observation)


@pytest.mark.parametrize(
    ("state", "observation", "age", "after"),
    [
        ("starting", "unknown", UNKNOWN_TIMEOUT - MINUTE, "starting"),
        ("starting", "unknown", UNKNOWN_TIMEOUT, "failed"),
        ("starting", "open", UNKNOWN_TIMEOUT, "open"),
        ("open", "unknown", UNKNOWN_TIMEOUT, "open"),
    ],
)
def test_a_payment_unknown_after_an_hour_has_failed(state, observation, age, after) -> None:
    transition = transition_at(PaymentRecordState(state), Observation(observation), age=age)
    assert transition == Transition(PaymentRecordState(after))


@pytest.mark.parametrize("observation", Observation)
def test_after_the_expiry_only_money_counts(observation) -> None:
    transition = transition_at(PaymentRecordState.OPEN, observation, left=timedelta(0))

    if observation in {Observation.UNKNOWN, Observation.OPEN, Observation.FAILED}:
        assert transition == Transition(PaymentRecordState.EXPIRED)
    else:
        assert transition == decide_transition(PaymentRecordState.OPEN, observation)
    assert transition_at(PaymentRecordState.OPEN, observation, left=None) == decide_transition(
        PaymentRecordState.OPEN, observation
    )


def test_an_open_payment_is_polled_every_quarter_of_an_hour_and_at_its_expiry() -> None:
    def next_poll(left: timedelta | None) -> datetime | None:
        expires_at = None if left is None else NOW + left
        return next_poll_at(
            PaymentRecordState.OPEN, expires_at=expires_at, finished_at=None, now=NOW
        )

    assert next_poll(None) == NOW + POLL_INTERVAL == NOW + 15 * MINUTE
    assert next_poll(16 * MINUTE) == NOW + POLL_INTERVAL
    assert next_poll(5 * MINUTE) == NOW + 5 * MINUTE
    assert next_poll(-MINUTE) == NOW + POLL_INTERVAL


def test_without_status_queries_a_payment_is_polled_at_its_expiry_only() -> None:
    def next_poll(state: PaymentRecordState, left: timedelta | None) -> datetime | None:
        expires_at = None if left is None else NOW + left
        return next_poll_at(
            state, expires_at=expires_at, finished_at=NOW, now=NOW, can_query_status=False
        )

    assert next_poll(PaymentRecordState.OPEN, timedelta(days=14)) == NOW + timedelta(days=14)
    assert next_poll(PaymentRecordState.OPEN, 5 * MINUTE) == NOW + 5 * MINUTE
    assert next_poll(PaymentRecordState.OPEN, -MINUTE) == NOW + POLL_INTERVAL
    assert next_poll(PaymentRecordState.STARTING, None) == NOW + POLL_INTERVAL
    assert next_poll(PaymentRecordState.EXPIRED, None) is None


@pytest.mark.parametrize("state", [PaymentRecordState.EXPIRED, PaymentRecordState.FAILED])
def test_an_unpaid_payment_is_rechecked_for_three_days(state) -> None:
    calls, now = [], NOW
    while (due := next_poll_at(state, expires_at=NOW, finished_at=NOW, now=now)) is not None:
        calls.append(due - NOW)
        now = due

    assert tuple(calls) == RECHECK_DELAYS


@pytest.mark.parametrize(
    "state", [PaymentRecordState.PAID, PaymentRecordState.REFUNDED, PaymentRecordState.MISMATCH]
)
def test_a_finished_payment_is_not_polled(state) -> None:
    assert next_poll_at(state, expires_at=None, finished_at=NOW, now=NOW) is None
