"""What a provider's word does to a payment, in whichever state it is. Pure.

The table is all there is to it: every state and every word stand in it once. A word is what
the provider answers when it is asked, never what a call says. So order and repetition change
nothing: the last word is the truth of its moment, money that is ours is never unlearnt, and
what was given back stays given back.
"""

from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from prawko.hooks.payments import Money, PaymentState
from prawko.hooks.payments import Payment as Said


class State(StrEnum):
    """How far a payment is. Stored for ever."""

    STARTING = "starting"  # written, and not known to have reached the provider
    OPEN = "open"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"  # nobody paid in time; money that comes all the same counts
    REFUNDED = "refunded"
    MISMATCH = "mismatched"  # another sum than was asked for


UNFINISHED = frozenset({State.STARTING, State.OPEN})


class Word(StrEnum):
    """What the provider says, compared with what was asked for."""

    UNKNOWN = "unknown"  # it knows no such payment, or not as yet
    OPEN = "open"
    CLAIMED = "claimed"  # the right sum waits for our confirmation
    PAID = "paid"  # the right sum is ours
    AGAIN = "again"  # the right sum is ours, by another payment than the one we know
    WRONG_AMOUNT = "wrong_amount"
    WRONG_CURRENCY = "wrong_currency"
    FAILED = "failed"
    REFUNDED = "refunded"


class Act(StrEnum):
    """What follows, beside the state."""

    NOTHING = "nothing"
    FULFIL = "fulfil"
    FAIL = "fail"  # the buyer learns that this try has failed
    EXPIRE = "expire"  # the same, because time ran out
    TAKE_BACK = "take_back"  # the buyer learns that the money is gone; operators, if not by them
    FLAG = "flag"  # the operators learn of it


class Ruling(msgspec.Struct, frozen=True):
    """The state after a word, and what follows."""

    state: State
    act: Act = Act.NOTHING


# An order that nobody opened may be unknown to its provider; after an hour it never got there.
UNKNOWN_FOR = timedelta(hours=1)
ASK_EVERY = timedelta(minutes=15)
# Where a provider names no end (a transfer), we do: no title is waited for longer than that.
LONGEST_OPEN = timedelta(days=30)
# A payer who began in time may end late, and the call about it may be lost: looked after.
LOOK_AGAIN = (timedelta(hours=1), timedelta(hours=6), timedelta(days=1), timedelta(days=3))

_WRONG = (Word.WRONG_AMOUNT, Word.WRONG_CURRENCY)

_UNFINISHED: dict[Word, tuple[State, Act]] = {
    Word.OPEN: (State.OPEN, Act.NOTHING),
    Word.CLAIMED: (State.OPEN, Act.NOTHING),
    Word.PAID: (State.PAID, Act.FULFIL),
    Word.AGAIN: (State.PAID, Act.FULFIL),
    **dict.fromkeys(_WRONG, (State.MISMATCH, Act.FLAG)),
    Word.FAILED: (State.FAILED, Act.FAIL),
    Word.REFUNDED: (State.REFUNDED, Act.FAIL),
}


def _ended(state: State) -> dict[Word, tuple[State, Act]]:
    """For a try that is over: only money changes it."""
    return {
        Word.UNKNOWN: (state, Act.NOTHING),
        Word.OPEN: (state, Act.NOTHING),
        Word.CLAIMED: (state, Act.NOTHING),
        Word.PAID: (State.PAID, Act.FULFIL),
        Word.AGAIN: (State.PAID, Act.FULFIL),
        **dict.fromkeys(_WRONG, (State.MISMATCH, Act.FLAG)),
        Word.FAILED: (state, Act.NOTHING),
        Word.REFUNDED: (State.REFUNDED, Act.NOTHING),
    }


TABLE: dict[State, dict[Word, tuple[State, Act]]] = {
    State.STARTING: {Word.UNKNOWN: (State.STARTING, Act.NOTHING), **_UNFINISHED},
    State.OPEN: {Word.UNKNOWN: (State.OPEN, Act.NOTHING), **_UNFINISHED},
    State.FAILED: _ended(State.FAILED),
    State.EXPIRED: _ended(State.EXPIRED),
    # A wrong sum that became the right one counts; the buyer has heard nothing so far.
    State.MISMATCH: {
        **_ended(State.MISMATCH),
        Word.FAILED: (State.FAILED, Act.FAIL),
        Word.REFUNDED: (State.REFUNDED, Act.FAIL),
    },
    State.PAID: {
        Word.UNKNOWN: (State.PAID, Act.NOTHING),
        Word.OPEN: (State.PAID, Act.NOTHING),
        Word.CLAIMED: (State.PAID, Act.NOTHING),
        Word.PAID: (State.PAID, Act.NOTHING),
        Word.AGAIN: (State.PAID, Act.FLAG),
        **dict.fromkeys(_WRONG, (State.PAID, Act.FLAG)),
        Word.FAILED: (State.PAID, Act.NOTHING),
        Word.REFUNDED: (State.REFUNDED, Act.TAKE_BACK),
    },
    # Final: an answer that was given before the refund may be written after it.
    State.REFUNDED: {
        **dict.fromkeys(Word, (State.REFUNDED, Act.NOTHING)),
        Word.AGAIN: (State.REFUNDED, Act.FLAG),
    },
}


def word_of(said: Said | None, expected: Money, known_ref: str | None) -> Word:
    """The word for what the provider says; `known_ref` is its name of what has paid so far."""
    if said is None:
        return Word.UNKNOWN
    if said.state in {PaymentState.CLAIMED, PaymentState.PAID}:
        if said.money.currency != expected.currency:
            return Word.WRONG_CURRENCY
        if said.money.grosze != expected.grosze:
            return Word.WRONG_AMOUNT
    if (
        said.state is PaymentState.PAID
        and known_ref
        and said.ref.provider_ref
        not in {
            None,
            known_ref,
        }
    ):
        return Word.AGAIN
    return Word(said.state.value)


def rule(state: State, word: Word) -> Ruling:
    """What a word does, time aside."""
    return Ruling(*TABLE[state][word])


def rule_of_time(
    state: State, word: Word, *, created_at: datetime, open_until: datetime | None, now: datetime
) -> Ruling:
    """What a word does to a payment that was asked for in its turn: time may be up."""
    ruling = rule(state, word)
    if ruling.state is State.STARTING and now >= created_at + UNKNOWN_FOR:
        return Ruling(State.FAILED, Act.FAIL)
    unpaid = ruling.state is State.FAILED or word in {Word.UNKNOWN, Word.OPEN}
    if unpaid and is_over(state, open_until, now):
        return Ruling(State.EXPIRED, Act.EXPIRE)
    return ruling


def is_over(state: State, open_until: datetime | None, now: datetime) -> bool:
    """Whether the time to pay is up."""
    return state is State.OPEN and open_until is not None and now >= open_until


def next_ask(
    state: State,
    *,
    open_until: datetime | None,
    settled_at: datetime | None,
    now: datetime,
    answers: bool = True,
) -> datetime | None:
    """When to ask next; None for never again.

    Every 15 minutes until it ends, and at its end. What has ended unpaid is looked after for
    some days: money is never lost, even if its call is. A provider that `answers` nothing, for
    it knows of money from us alone, is not bothered before the end.
    """
    if state in UNFINISHED:
        due = now + ASK_EVERY
        early = open_until is not None and now < open_until < due
        silent = not answers and open_until is not None and due < open_until
        return open_until if early or silent else due
    if not answers:
        return None
    if state in {State.EXPIRED, State.FAILED} and settled_at is not None:
        return next((at for wait in LOOK_AGAIN if (at := settled_at + wait) > now), None)
    return None
