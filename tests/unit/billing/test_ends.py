"""When people are told that a trial or a subscription ends."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.base.clock import WARSAW
from prawko.billing.ends import (
    checked_until,
    end_note,
    ended_notice,
    ending_notice,
    renews_itself,
)
from prawko.billing.models import Subscription
from prawko.billing.notes import Note
from prawko.notifications.kinds import NoticeKind
from prawko_tenants.ids import new_id

MANDATE = new_id()
END = datetime(2026, 11, 28, 14, 30, tzinfo=WARSAW)


def subscription(**fields) -> Subscription:
    given = {"is_trial": False, "cancelled_at": None, "mandate_id": None, "end_date": END}
    made = Subscription(id=new_id(), driver_limit=20, **{**given, **fields})
    made.checked_until = checked_until(made)
    return made


def at(day: int, hour: int = 9, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=WARSAW).astimezone(UTC)


@pytest.mark.parametrize(
    ("is_trial", "now", "reminder", "days"),
    [
        (True, at(25, 23, 59), None, None),
        (True, at(26, 0, 0), 2, 2),
        (True, at(26, 23, 59), 2, 2),
        (True, at(27), 1, 1),
        (True, at(28), 1, 0),  # only if both days were missed
        (True, at(28, 14, 29), 1, 0),
        (True, at(28, 14, 30), None, None),
        (True, at(29), None, None),
        (False, at(20), None, None),
        (False, at(21), 7, 7),
        (False, at(23), 7, 5),
        (False, at(26), 2, 2),
        (False, at(27), 2, 1),
        (False, at(28, 14, 30), None, None),
    ],
)
def test_an_end_is_told_by_calendar_days(is_trial, now, reminder, days) -> None:
    ending = subscription(is_trial=is_trial)

    told = ending_notice(ending, "Acme", now)

    if reminder is None:
        assert told is None
        return
    assert told.kind is (NoticeKind.TRIAL_ENDING if is_trial else NoticeKind.SUBSCRIPTION_ENDING)
    assert told.dedup == f"{ending.id} {END.isoformat()} {reminder}"
    assert (told.facts.days, told.facts.ends_at, told.facts.company) == (days, END, "Acme")


@pytest.mark.parametrize(
    ("fields", "renews"),
    [
        ({"mandate_id": MANDATE}, True),
        ({"mandate_id": MANDATE, "cancelled_at": at(20)}, False),
        ({}, False),
        ({"cancelled_at": at(20)}, False),
        ({"is_trial": True}, False),
    ],
)
def test_what_renews_itself_needs_no_reminder(fields, renews) -> None:
    ending = subscription(**fields)

    assert renews_itself(ending) is renews
    assert (ending_notice(ending, "", at(26)) is None) is renews


def test_a_prolonged_subscription_is_told_of_its_new_end_again() -> None:
    ending = subscription()
    first = ending_notice(ending, "", at(26))
    ending.end_date = END + timedelta(days=30)

    again = ending_notice(ending, "", at(26) + timedelta(days=30))

    assert first.dedup != again.dedup
    assert ending_notice(ending, "", at(26)) is None


def test_the_end_itself_is_one_notice() -> None:
    trial, paid = subscription(is_trial=True), subscription()

    assert ended_notice(trial, "", END).kind is NoticeKind.TRIAL_ENDED
    assert ended_notice(paid, "", END).kind is NoticeKind.SUBSCRIPTION_ENDED
    assert ended_notice(paid, "", END).dedup == f"{paid.id} {END.isoformat()}"


@pytest.mark.parametrize(
    ("fields", "days"),
    [
        ({"mandate_id": MANDATE}, 3),
        ({"mandate_id": MANDATE, "cancelled_at": at(20)}, 0),
        ({}, 0),
        ({"is_trial": True}, 0),
    ],
)
def test_drivers_are_checked_through_the_grace_of_what_should_have_renewed_itself(
    fields, days
) -> None:
    assert checked_until(subscription(**fields)) == END.astimezone(UTC) + timedelta(days=days)


def test_a_failed_renewal_is_told_as_the_beginning_of_the_grace_while_it_lasts() -> None:
    failed = subscription(mandate_id=MANDATE)

    told = ended_notice(failed, "Acme", END)

    assert told.kind is NoticeKind.GRACE_STARTED
    assert told.facts.checked_until == END + timedelta(days=3)
    assert ended_notice(failed, "Acme", END + timedelta(days=3)) is None


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({}, Note.ENDED),
        ({"mandate_id": MANDATE}, Note.RENEWAL_FAILED),
        ({"mandate_id": MANDATE, "cancelled_at": at(20)}, Note.ENDED_AFTER_CANCELLING),
        ({"cancelled_at": at(20)}, Note.ENDED_AFTER_CANCELLING),
        ({"is_trial": True}, Note.TRIAL_ENDED),
        ({"is_trial": True, "cancelled_at": at(20)}, Note.TRIAL_ENDED),
    ],
)
def test_the_history_says_why_it_ended(fields, note) -> None:
    assert end_note(subscription(**fields)) is note


def test_days_are_counted_over_the_long_night_of_october() -> None:
    end = datetime(2026, 10, 26, 0, 30, tzinfo=WARSAW)

    told = ending_notice(
        subscription(is_trial=True, end_date=end), "",
        datetime(2026, 10, 24, 23, 30, tzinfo=WARSAW).astimezone(UTC),
    )  # fmt: skip

    assert told.facts.days == 2
