"""Every word in every state, and what time adds to it."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.payments import Money, PaymentRef, PaymentState
from prawko.hooks.payments import Payment as Said
from prawko.payments.settling import (
    ASK_EVERY,
    LOOK_AGAIN,
    TABLE,
    UNKNOWN_FOR,
    Act,
    Ruling,
    State,
    Word,
    next_ask,
    rule,
    rule_of_time,
    word_of,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
PRICE = Money(18327)
WRONG = (Word.WRONG_AMOUNT, Word.WRONG_CURRENCY)


def test_every_state_knows_every_word() -> None:
    assert TABLE.keys() == set(State)
    for state in State:
        assert TABLE[state].keys() == set(Word), state


# What a state makes of a word, beside staying as it is with nothing to follow.
CASES = {
    State.STARTING: {
        "open": "open", "claimed": "open", "paid": "paid fulfil", "again": "paid fulfil",
        "failed": "failed fail", "refunded": "refunded fail",
        "wrong_amount": "mismatched flag", "wrong_currency": "mismatched flag",
    },
    State.OPEN: {
        "paid": "paid fulfil", "again": "paid fulfil", "failed": "failed fail",
        "refunded": "refunded fail",
        "wrong_amount": "mismatched flag", "wrong_currency": "mismatched flag",
    },
    State.FAILED: {
        "paid": "paid fulfil", "again": "paid fulfil", "refunded": "refunded nothing",
        "wrong_amount": "mismatched flag", "wrong_currency": "mismatched flag",
    },
    State.EXPIRED: {
        "paid": "paid fulfil", "again": "paid fulfil", "refunded": "refunded nothing",
        "wrong_amount": "mismatched flag", "wrong_currency": "mismatched flag",
    },
    State.MISMATCH: {
        "paid": "paid fulfil", "again": "paid fulfil", "failed": "failed fail",
        "refunded": "refunded fail",
        "wrong_amount": "mismatched flag", "wrong_currency": "mismatched flag",
    },
    State.PAID: {
        "again": "paid flag", "refunded": "refunded take_back",
        "wrong_amount": "paid flag", "wrong_currency": "paid flag",
    },
    State.REFUNDED: {"again": "refunded flag"},
}  # fmt: skip


@pytest.mark.parametrize("state", State)
def test_a_word_does_what_is_written(state) -> None:
    for word in Word:
        said = CASES[state].get(word.value, state.value).split()
        expected = Ruling(State(said[0]), Act(said[1]) if said[1:] else Act.NOTHING)
        assert rule(state, word) == expected, word


words = st.lists(st.sampled_from(Word), max_size=30)


def acts(said: list[Word]) -> tuple[State, list[Act]]:
    state, done = State.STARTING, []
    for word in said:
        ruling = rule(state, word)
        state = ruling.state
        done.append(ruling.act)
    return state, done


@given(words)
def test_whatever_is_said_it_is_given_once_and_taken_back_once(said) -> None:
    _, done = acts(said)

    assert done.count(Act.FULFIL) <= 1
    assert done.count(Act.TAKE_BACK) <= 1
    if Act.TAKE_BACK in done:
        assert done.index(Act.FULFIL) < done.index(Act.TAKE_BACK)


@given(words)
def test_money_that_is_ours_is_never_unlearnt(said) -> None:
    for first, word in enumerate(said):
        if word in {Word.PAID, Word.AGAIN}:
            state, _ = acts(said[: first + 1])
            assert state in {State.PAID, State.REFUNDED}
            assert acts(said)[0] in {State.PAID, State.REFUNDED}


@given(words, st.sampled_from(Word))
def test_the_same_word_again_changes_nothing(said, word) -> None:
    once, _ = acts([*said, word])
    again = rule(once, word)

    assert again.state is once
    assert again.act in {Act.NOTHING, Act.FLAG}, "a finding says the same once"


PAID = Said(ref=PaymentRef("K", "1"), state=PaymentState.PAID, money=PRICE)
READ = [
    (None, None, Word.UNKNOWN),
    (PAID, None, Word.PAID),
    (PAID, "1", Word.PAID),
    (PAID, "2", Word.AGAIN),
    (msgspec.structs.replace(PAID, ref=PaymentRef("K")), "1", Word.PAID),
    (msgspec.structs.replace(PAID, money=Money(18326)), None, Word.WRONG_AMOUNT),
    (msgspec.structs.replace(PAID, money=Money(18327, "EUR")), None, Word.WRONG_CURRENCY),
    (msgspec.structs.replace(PAID, money=Money(1, "EUR")), "2", Word.WRONG_CURRENCY),
    (msgspec.structs.replace(PAID, state=PaymentState.CLAIMED), "2", Word.CLAIMED),
    (
        msgspec.structs.replace(PAID, state=PaymentState.CLAIMED, money=Money(1)),
        None, Word.WRONG_AMOUNT,
    ),
    # What was not paid may be called what it likes.
    (
        msgspec.structs.replace(PAID, state=PaymentState.OPEN, money=Money(1, "EUR")),
        None, Word.OPEN,
    ),
    (msgspec.structs.replace(PAID, state=PaymentState.FAILED, money=Money(1)), None, Word.FAILED),
    (
        msgspec.structs.replace(PAID, state=PaymentState.REFUNDED, money=Money(1)),
        "1", Word.REFUNDED,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("said", "known", "word"), READ, ids=range(len(READ)))
def test_what_is_said_is_compared_with_what_was_asked_for(said, known, word) -> None:
    assert word_of(said, PRICE, known) is word


def in_turn(state: State, word: Word, *, age=MINUTE, left: timedelta | None = MINUTE) -> Ruling:
    return rule_of_time(
        state, word, created_at=NOW - age, open_until=None if left is None else NOW + left, now=NOW
    )


@pytest.mark.parametrize("word", Word)
def test_in_time_a_word_is_all_there_is(word) -> None:
    for state in State:
        assert in_turn(state, word) == rule(state, word)


def test_what_nobody_knows_after_an_hour_never_got_there() -> None:
    late = UNKNOWN_FOR
    assert in_turn(State.STARTING, Word.UNKNOWN, age=late - MINUTE).state is State.STARTING
    assert in_turn(State.STARTING, Word.UNKNOWN, age=late) == Ruling(State.FAILED, Act.FAIL)
    assert in_turn(State.STARTING, Word.OPEN, age=late) == Ruling(State.OPEN)
    assert in_turn(State.OPEN, Word.UNKNOWN, age=late) == Ruling(State.OPEN)


@pytest.mark.parametrize("word", Word)
def test_when_time_is_up_only_money_counts(word) -> None:
    ruling = in_turn(State.OPEN, word, left=timedelta(0))

    if word in {Word.UNKNOWN, Word.OPEN, Word.FAILED}:
        assert ruling == Ruling(State.EXPIRED, Act.EXPIRE)
    else:
        assert ruling == rule(State.OPEN, word)
    assert in_turn(State.OPEN, word, left=None) == rule(State.OPEN, word)


def test_it_is_asked_every_quarter_of_an_hour_and_at_its_end() -> None:
    def ask(left: timedelta | None) -> datetime | None:
        until = None if left is None else NOW + left
        return next_ask(State.OPEN, open_until=until, settled_at=None, now=NOW)

    assert ask(None) == NOW + ASK_EVERY == NOW + 15 * MINUTE
    assert ask(16 * MINUTE) == NOW + ASK_EVERY
    assert ask(5 * MINUTE) == NOW + 5 * MINUTE
    assert ask(-MINUTE) == NOW + ASK_EVERY


def test_who_answers_nothing_is_asked_at_the_end_alone() -> None:
    def ask(state: State, left: timedelta | None) -> datetime | None:
        until = None if left is None else NOW + left
        return next_ask(state, open_until=until, settled_at=NOW, now=NOW, answers=False)

    assert ask(State.OPEN, timedelta(days=14)) == NOW + timedelta(days=14)
    assert ask(State.OPEN, 5 * MINUTE) == NOW + 5 * MINUTE
    assert ask(State.OPEN, -MINUTE) == NOW + ASK_EVERY
    assert ask(State.STARTING, None) == NOW + ASK_EVERY
    assert ask(State.EXPIRED, None) is None


@pytest.mark.parametrize("state", [State.EXPIRED, State.FAILED])
def test_what_ended_unpaid_is_looked_after_for_three_days(state) -> None:
    asked, now = [], NOW
    while (due := next_ask(state, open_until=NOW, settled_at=NOW, now=now)) is not None:
        asked.append(due - NOW)
        now = due

    assert tuple(asked) == LOOK_AGAIN


@pytest.mark.parametrize("state", [State.PAID, State.REFUNDED, State.MISMATCH])
def test_what_is_settled_is_not_asked_for(state) -> None:
    assert next_ask(state, open_until=None, settled_at=NOW, now=NOW) is None
