"""The allowed transitions of a subscription's status, and their history rows."""

from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.models import Subscription, SubscriptionHistory, SubscriptionStatus
from prawko.billing.transitions import (
    TRANSITIONS,
    HistoryEvent,
    InvalidTransitionError,
    TransitionTrigger,
    describe_event,
    ensure_transition_allowed,
    transition,
)
from prawko.console.subscription_change import SubscriptionOverError, status_by_operator
from prawko.kit.text.i18n import Language, translate

ALL_CHANGES = set(
    product(TransitionTrigger, [None, *SubscriptionStatus], SubscriptionStatus, HistoryEvent)
)
CLOSED = set(SubscriptionStatus) - {SubscriptionStatus.ACTIVE}

steps = st.lists(
    st.tuples(
        st.sampled_from(TransitionTrigger),
        st.sampled_from(SubscriptionStatus),
        st.sampled_from(HistoryEvent),
    )
)
likely_steps = st.lists(
    st.sampled_from(sorted(TRANSITIONS, key=str)).map(lambda c: (c[0], c[2], c[3]))
)


@pytest.mark.parametrize(
    ("trigger", "old", "new", "note"),
    [
        ("customer", None, "active", HistoryEvent.TRIAL_STARTED),
        ("customer", "active", "active", HistoryEvent.CANCELLED),
        ("customer", "active", "active", HistoryEvent.RESUMED),
        ("customer", "active", "active", HistoryEvent.LIMIT_LOWERED),
        ("customer", "active", "active", HistoryEvent.LIMIT_COVERED),
        ("customer", "expired", "expired", HistoryEvent.CANCELLED),  # in the grace
        ("payment", None, "active", HistoryEvent.PAID),
        ("payment", "active", "active", HistoryEvent.PROLONGED),
        ("payment", "active", "active", HistoryEvent.LIMIT_RAISED),
        ("payment", "expired", "active", HistoryEvent.PAID_AFTER_END),
        ("time", "active", "expired", HistoryEvent.TRIAL_ENDED),
        ("time", "active", "expired", HistoryEvent.ENDED),
        ("time", "active", "expired", HistoryEvent.RENEWAL_FAILED),
        ("time", "active", "active", HistoryEvent.LIMIT_CHANGED),
        ("time", "expired", "expired", HistoryEvent.LIMIT_CHANGED),  # in the grace
        ("time", "active", "cancelled", HistoryEvent.ENDED_AFTER_CANCELLING),
        ("operator", "cancelled", "active", HistoryEvent.SET_BY_OPERATOR),
        ("operator", "active", "inactive", HistoryEvent.SET_BY_OPERATOR),
        ("operator", None, "active", HistoryEvent.SET_BY_OPERATOR),
        ("operator", "trial", "inactive", HistoryEvent.SET_BY_OPERATOR),
    ],
)
def test_an_allowed_transition(trigger, old, new, note) -> None:
    ensure_transition_allowed(TransitionTrigger(trigger), old, new, note)


@pytest.mark.parametrize(
    ("trigger", "old", "new", "note"),
    [
        # access stays until the end
        ("customer", "active", "cancelled", HistoryEvent.CANCELLED),
        ("customer", "cancelled", "active", HistoryEvent.RESUMED),
        ("customer", "expired", "active", HistoryEvent.TRIAL_STARTED),
        ("payment", "inactive", "active", HistoryEvent.PAID),  # closed by an operator
        ("payment", "cancelled", "active", HistoryEvent.PAID_AFTER_END),
        ("payment", "active", "expired", HistoryEvent.ENDED),
        ("time", "expired", "active", HistoryEvent.PROLONGED),
        ("time", "active", "cancelled", HistoryEvent.RENEWAL_FAILED),
        ("time", "inactive", "expired", HistoryEvent.ENDED),
        ("operator", "active", "expired", HistoryEvent.SET_BY_OPERATOR),
        ("operator", "active", "trial", HistoryEvent.SET_BY_OPERATOR),
        ("operator", "active", "cancelled", HistoryEvent.CANCELLED),  # not an operator's event
    ],
)
def test_a_forbidden_transition(trigger, old, new, note) -> None:
    with pytest.raises(InvalidTransitionError, match=f"{trigger} may not change {old} into {new}"):
        ensure_transition_allowed(TransitionTrigger(trigger), old, new, note)


def test_the_transitions_follow_the_rules() -> None:
    assert TRANSITIONS <= ALL_CHANGES
    for trigger, old, new, note in TRANSITIONS:
        if note is HistoryEvent.RENEWAL_STOPPED:  # a dispute, which changes no status
            assert (trigger, old) == (TransitionTrigger.PAYMENT, new)
            continue
        assert new is not SubscriptionStatus.TRIAL
        assert (
            new is not SubscriptionStatus.EXPIRED or trigger is TransitionTrigger.TIME or old is new
        )
        assert (
            old
            not in {
                SubscriptionStatus.INACTIVE,
                SubscriptionStatus.CANCELLED,
                SubscriptionStatus.TRIAL,
            }
            or trigger is TransitionTrigger.OPERATOR
        )
        assert new is not SubscriptionStatus.INACTIVE or trigger is TransitionTrigger.OPERATOR
        assert (trigger is TransitionTrigger.OPERATOR) is (note is HistoryEvent.SET_BY_OPERATOR)
        if trigger is TransitionTrigger.TIME and note is not HistoryEvent.LIMIT_CHANGED:
            assert old is SubscriptionStatus.ACTIVE
            assert new in CLOSED
        assert note is not HistoryEvent.LIMIT_CHANGED or old is new
        assert (
            trigger is not TransitionTrigger.CUSTOMER
            or new is SubscriptionStatus.ACTIVE
            or old is new
        )
        assert trigger is not TransitionTrigger.PAYMENT or new is SubscriptionStatus.ACTIVE


def test_operators_set_three_statuses_from_any_status_and_leave_expired_as_it_is() -> None:
    by_operators = {
        (old, new) for trigger, old, new, _ in TRANSITIONS if trigger is TransitionTrigger.OPERATOR
    }

    assert by_operators - {("expired", "expired")} == set(
        product(
            [None, *SubscriptionStatus],
            [SubscriptionStatus.ACTIVE, SubscriptionStatus.INACTIVE, SubscriptionStatus.CANCELLED],
        )
    )


NEW_ENDS = (None, -2, 30)  # that an operator sets, in days from now; None for the present one
# For each of them "x" if the change is refused.
ACCEPTED = {None: "...", "active": "..."}  # by the status that the operator sets, or none
OVER = {None: "..x", "active": "xx."}


@pytest.mark.parametrize(
    ("stored", "cancelled", "days", "refusals"),
    [
        ("active", False, 5, ACCEPTED),
        ("active", True, 5, ACCEPTED),
        ("active", False, -5, OVER),  # before the job that saves the end
        ("active", True, -5, OVER),
        ("expired", False, -5, OVER),
        ("expired", False, 5, {None: "..x", "active": ".x."}),  # half open
        ("cancelled", True, -5, OVER),
        ("cancelled", True, 5, ACCEPTED),  # by an operator, as the next four
        ("cancelled", False, 5, ACCEPTED),
        ("cancelled", False, -5, ACCEPTED),
        ("inactive", False, 5, ACCEPTED),
        ("inactive", True, -5, ACCEPTED),
    ],
)
def test_an_operator_reopens_what_is_over_by_active_and_an_end_in_the_future_together(
    stored, cancelled, days, refusals
) -> None:
    now = datetime(2026, 11, 28, tzinfo=UTC)
    subscription = Subscription(
        status=stored, end_date=now + timedelta(days=days),
        cancelled_at=now - timedelta(days=9) if cancelled else None,
    )  # fmt: skip
    for status in (
        None,
        SubscriptionStatus.ACTIVE,
        SubscriptionStatus.INACTIVE,
        SubscriptionStatus.CANCELLED,
    ):
        for new_days, mark in zip(NEW_ENDS, refusals.get(status, "..."), strict=True):
            end = subscription.end_date if new_days is None else now + timedelta(days=new_days)
            with pytest.raises(SubscriptionOverError) if mark == "x" else nullcontext():
                assert status_by_operator(subscription, status, end, now) == (status or stored)


@given(steps | likely_steps)
def test_only_a_payment_a_trial_or_an_operator_makes_a_subscription_active(attempts) -> None:
    status, history = None, []
    for trigger, new, note in attempts:
        change = (trigger, status, new, note)
        try:
            ensure_transition_allowed(*change)
        except InvalidTransitionError:
            assert change not in TRANSITIONS
            continue
        history.append(change)
        status = new

    activations = [
        change
        for change in history
        if change[1] is not SubscriptionStatus.ACTIVE and change[2] is SubscriptionStatus.ACTIVE
    ]
    assert {(change[0], change[3]) for change in activations} <= {
        (TransitionTrigger.CUSTOMER, HistoryEvent.TRIAL_STARTED),
        (TransitionTrigger.PAYMENT, HistoryEvent.PAID),
        (TransitionTrigger.PAYMENT, HistoryEvent.PAID_AFTER_END),
        (TransitionTrigger.OPERATOR, HistoryEvent.SET_BY_OPERATOR),
    }
    assert (
        sum(change[3] in {HistoryEvent.TRIAL_STARTED, HistoryEvent.PAID} for change in history) <= 1
    ), "one start"
    for before, after in pairwise(history):
        assert after[1] is before[2]
        if before[2] in {SubscriptionStatus.INACTIVE, SubscriptionStatus.CANCELLED}:
            assert after[0] is TransitionTrigger.OPERATOR or after[2] is before[2]


@pytest.mark.parametrize("note", HistoryEvent)
def test_every_event_is_used_and_has_a_text_in_both_languages(note) -> None:
    assert note in {event for _, _, _, event in TRANSITIONS}
    texts = {
        translate(f"billing.notes.{note}", language, limit=20, until="28.11.2026")
        for language in Language
    }
    assert len(texts) == 2


def test_notes_are_stored_in_the_operators_language() -> None:
    text = describe_event(HistoryEvent.CANCELLED, until="28.11.2026")

    assert text == "Anulowana przez klienta, dostęp do 28.11.2026"


def test_a_transition_changes_the_subscription_and_adds_one_history_row() -> None:
    end, now = datetime(2026, 11, 28, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC)
    subscription, rows = Subscription(status="expired", end_date=end), []
    new_end = now + timedelta(days=30)

    transition(
        SimpleNamespace(add=rows.append), subscription, TransitionTrigger.PAYMENT, "active",
        HistoryEvent.PAID_AFTER_END, now, end=new_end,
    )  # fmt: skip

    assert (subscription.status, subscription.end_date) == ("active", new_end)
    assert subscription.updated_at == now
    [row] = rows
    assert isinstance(row, SubscriptionHistory)
    assert (row.old_status, row.new_status, row.changed_at) == ("expired", "active", now)
    assert (row.old_end_date, row.new_end_date) == (end, new_end)
    assert row.note == describe_event(HistoryEvent.PAID_AFTER_END)


def test_a_refused_transition_changes_nothing_and_adds_no_history() -> None:
    end, rows = datetime(2026, 11, 28, tzinfo=UTC), []
    subscription = Subscription(status="inactive", end_date=end)

    with pytest.raises(InvalidTransitionError):
        transition(
            SimpleNamespace(add=rows.append), subscription, TransitionTrigger.PAYMENT, "active",
            HistoryEvent.PAID_AFTER_END, end, end=end + timedelta(days=30),
        )  # fmt: skip

    assert (subscription.status, subscription.end_date, rows) == ("inactive", end, [])
