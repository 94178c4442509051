"""Who may change a subscription's status into which."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.texts import Language, say
from prawko.billing.changes import ALLOWED, By, ForbiddenChangeError, check_change
from prawko.billing.notes import Note, note_text
from prawko.billing.status import Status

EVERYTHING = set(product(By, [None, *Status], Status, Note))
CLOSED = set(Status) - {Status.ACTIVE}

steps = st.lists(st.tuples(st.sampled_from(By), st.sampled_from(Status), st.sampled_from(Note)))
likely = st.lists(st.sampled_from(sorted(ALLOWED, key=str)).map(lambda c: (c[0], c[2], c[3])))


@pytest.mark.parametrize(
    ("by", "old", "new", "note"),
    [
        ("customer", None, "active", Note.TRIAL_STARTED),
        ("customer", "active", "active", Note.CANCELLED),
        ("customer", "active", "active", Note.RESUMED),
        ("customer", "active", "active", Note.LIMIT_LOWERED),
        ("customer", "active", "active", Note.LIMIT_COVERED),
        ("customer", "expired", "expired", Note.CANCELLED),  # in the grace
        ("payment", None, "active", Note.PAID),
        ("payment", "active", "active", Note.PROLONGED),
        ("payment", "active", "active", Note.LIMIT_RAISED),
        ("payment", "expired", "active", Note.PAID_AFTER_END),
        ("time", "active", "expired", Note.TRIAL_ENDED),
        ("time", "active", "expired", Note.ENDED),
        ("time", "active", "expired", Note.RENEWAL_FAILED),
        ("time", "active", "active", Note.LIMIT_CHANGED),
        ("time", "expired", "expired", Note.LIMIT_CHANGED),  # in the grace
        ("time", "active", "cancelled", Note.ENDED_AFTER_CANCELLING),
        ("operator", "cancelled", "active", Note.SET_BY_OPERATOR),
        ("operator", "active", "inactive", Note.SET_BY_OPERATOR),
        ("operator", None, "active", Note.SET_BY_OPERATOR),
        ("operator", "trial", "inactive", Note.SET_BY_OPERATOR),
    ],
)
def test_what_may_happen(by, old, new, note) -> None:
    check_change(By(by), old, new, note)


@pytest.mark.parametrize(
    ("by", "old", "new", "note"),
    [
        ("customer", "active", "cancelled", Note.CANCELLED),  # access stays until the end (R5)
        ("customer", "cancelled", "active", Note.RESUMED),
        ("customer", "expired", "active", Note.TRIAL_STARTED),
        ("payment", "inactive", "active", Note.PAID),  # an operator's word stands
        ("payment", "cancelled", "active", Note.PAID_AFTER_END),
        ("payment", "active", "expired", Note.ENDED),
        ("time", "expired", "active", Note.PROLONGED),
        ("time", "active", "cancelled", Note.RENEWAL_FAILED),
        ("time", "inactive", "expired", Note.ENDED),
        ("operator", "active", "expired", Note.SET_BY_OPERATOR),
        ("operator", "active", "trial", Note.SET_BY_OPERATOR),
        ("operator", "active", "cancelled", Note.CANCELLED),  # the customer's word is another's
    ],
)
def test_what_may_not_happen(by, old, new, note) -> None:
    with pytest.raises(ForbiddenChangeError, match=f"{by} may not change {old} into {new}"):
        check_change(By(by), old, new, note)


def test_the_rules_that_the_table_keeps() -> None:
    assert ALLOWED <= EVERYTHING
    for by, old, new, note in ALLOWED:
        assert new is not Status.TRIAL
        assert new is not Status.EXPIRED or by is By.TIME or old is new
        assert old not in {Status.INACTIVE, Status.CANCELLED, Status.TRIAL} or by is By.OPERATOR
        assert new is not Status.INACTIVE or by is By.OPERATOR
        assert (by is By.OPERATOR) is (note is Note.SET_BY_OPERATOR)
        if by is By.TIME and note is not Note.LIMIT_CHANGED:
            assert old is Status.ACTIVE
            assert new in CLOSED
        assert note is not Note.LIMIT_CHANGED or old is new
        assert by is not By.CUSTOMER or new is Status.ACTIVE or old is new
        assert by is not By.PAYMENT or new is Status.ACTIVE


def test_operators_set_three_words_whatever_stands_there() -> None:
    theirs = {(old, new) for by, old, new, _ in ALLOWED if by is By.OPERATOR}

    assert theirs == set(
        product([None, *Status], [Status.ACTIVE, Status.INACTIVE, Status.CANCELLED])
    )


@given(steps | likely)
def test_only_money_a_trial_or_an_operator_ever_opens_a_closed_panel(wishes) -> None:
    status, history = None, []
    for by, new, note in wishes:
        change = (by, status, new, note)
        try:
            check_change(*change)
        except ForbiddenChangeError:
            assert change not in ALLOWED
            continue
        history.append(change)
        status = new

    opened = [c for c in history if c[1] is not Status.ACTIVE and c[2] is Status.ACTIVE]
    assert {(c[0], c[3]) for c in opened} <= {
        (By.CUSTOMER, Note.TRIAL_STARTED), (By.PAYMENT, Note.PAID),
        (By.PAYMENT, Note.PAID_AFTER_END), (By.OPERATOR, Note.SET_BY_OPERATOR),
    }  # fmt: skip
    assert sum(c[3] in {Note.TRIAL_STARTED, Note.PAID} for c in history) <= 1, "one beginning"
    for before, after in pairwise(history):
        assert after[1] is before[2]
        if before[2] in {Status.INACTIVE, Status.CANCELLED}:
            assert after[0] is By.OPERATOR


@pytest.mark.parametrize("note", Note)
def test_every_note_is_used_and_said_in_both_languages(note) -> None:
    assert note in {used for _, _, _, used in ALLOWED}
    texts = {say(f"billing.notes.{note}", one, limit=20, until="28.11.2026") for one in Language}
    assert len(texts) == 2


def test_notes_are_stored_in_the_operators_language() -> None:
    told = note_text(Note.CANCELLED, until="28.11.2026")

    assert told == "Anulowana przez klienta, dostęp do 28.11.2026"
