"""Reminders and notices of the end of a trial or subscription."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.billing.models import Subscription
from prawko.billing.notices import expired_notice, expiry_reminder
from prawko.billing.transitions import HistoryEvent, expiry_event
from prawko.kit.clock import WARSAW
from prawko.notifications.catalogue import NoticeKind
from prawko_tenants.ids import new_id

MANDATE = new_id()
END = datetime(2026, 11, 28, 14, 30, tzinfo=WARSAW)


def make_subscription(**fields) -> Subscription:
    values = {"is_trial": False, "cancelled_at": None, "mandate_id": None, "end_date": END}
    subscription = Subscription(id=new_id(), driver_limit=20, **{**values, **fields})
    subscription.set_monitored_until(subscription.end_date - timedelta(days=30))
    return subscription


def warsaw_time(day: int, hour: int = 9, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=WARSAW).astimezone(UTC)


@pytest.mark.parametrize(
    ("is_trial", "now", "reminder", "days"),
    [
        (True, warsaw_time(25, 23, 59), None, None),
        (True, warsaw_time(26, 0, 0), 2, 2),
        (True, warsaw_time(26, 23, 59), 2, 2),
        (True, warsaw_time(27), 1, 1),
        (True, warsaw_time(28), 1, 0),  # only if both days were missed
        (True, warsaw_time(28, 14, 29), 1, 0),
        (True, warsaw_time(28, 14, 30), None, None),
        (True, warsaw_time(29), None, None),
        (False, warsaw_time(20), None, None),
        (False, warsaw_time(21), 7, 7),
        (False, warsaw_time(23), 7, 5),
        (False, warsaw_time(26), 2, 2),
        (False, warsaw_time(27), 2, 1),
        (False, warsaw_time(28, 14, 30), None, None),
    ],
)
def test_reminders_are_due_by_calendar_days(is_trial, now, reminder, days) -> None:
    subscription = make_subscription(is_trial=is_trial)

    notice = expiry_reminder(subscription, "Acme", now)

    if reminder is None:
        assert notice is None
        return
    assert notice.kind is (NoticeKind.TRIAL_ENDING if is_trial else NoticeKind.SUBSCRIPTION_ENDING)
    assert notice.dedup_key == f"{subscription.id} {END.isoformat()} {reminder}"
    assert (notice.payload.days, notice.payload.ends_at, notice.payload.company) == (
        days,
        END,
        "Acme",
    )


@pytest.mark.parametrize(
    ("fields", "renews"),
    [
        ({"mandate_id": MANDATE}, True),
        ({"mandate_id": MANDATE, "cancelled_at": warsaw_time(20)}, False),
        ({}, False),
        ({"cancelled_at": warsaw_time(20)}, False),
        ({"is_trial": True}, False),
    ],
)
def test_a_renewing_subscription_has_no_reminder(fields, renews) -> None:
    subscription = make_subscription(**fields)

    assert subscription.auto_renews is renews
    assert (expiry_reminder(subscription, "", warsaw_time(26)) is None) is renews


def test_an_extended_subscription_is_reminded_of_its_new_end() -> None:
    subscription = make_subscription()
    first = expiry_reminder(subscription, "", warsaw_time(26))
    subscription.end_date = END + timedelta(days=30)

    next_reminder = expiry_reminder(subscription, "", warsaw_time(26) + timedelta(days=30))

    assert first.dedup_key != next_reminder.dedup_key
    assert expiry_reminder(subscription, "", warsaw_time(26)) is None


def test_the_end_has_one_notice() -> None:
    trial, paid = make_subscription(is_trial=True), make_subscription()

    assert expired_notice(trial, "", END).kind is NoticeKind.TRIAL_ENDED
    assert expired_notice(paid, "", END).kind is NoticeKind.SUBSCRIPTION_ENDED
    assert expired_notice(paid, "", END).dedup_key == f"{paid.id} {END.isoformat()}"


@pytest.mark.parametrize(
    ("fields", "days"),
    [
        ({"mandate_id": MANDATE}, 3),
        ({"mandate_id": MANDATE, "cancelled_at": warsaw_time(20)}, 0),
        ({}, 0),
        ({"is_trial": True}, 0),
    ],
)
def test_a_renewing_subscription_is_monitored_to_the_end_of_the_grace_period(fields, days) -> None:
    subscription = make_subscription(**fields)

    assert subscription.monitored_until == END.astimezone(UTC) + timedelta(days=days)


def test_a_failed_renewal_has_the_notice_of_the_grace_period_while_it_lasts() -> None:
    failed = make_subscription(mandate_id=MANDATE)

    notice = expired_notice(failed, "Acme", END)

    assert notice.kind is NoticeKind.GRACE_STARTED
    assert notice.payload.monitored_until == END + timedelta(days=3)
    assert expired_notice(failed, "Acme", END + timedelta(days=3)) is None


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({}, HistoryEvent.ENDED),
        ({"mandate_id": MANDATE}, HistoryEvent.RENEWAL_FAILED),
        (
            {"mandate_id": MANDATE, "cancelled_at": warsaw_time(20)},
            HistoryEvent.ENDED_AFTER_CANCELLING,
        ),
        ({"cancelled_at": warsaw_time(20)}, HistoryEvent.ENDED_AFTER_CANCELLING),
        ({"is_trial": True}, HistoryEvent.TRIAL_ENDED),
        ({"is_trial": True, "cancelled_at": warsaw_time(20)}, HistoryEvent.TRIAL_ENDED),
    ],
)
def test_the_history_has_the_reason_of_the_end(fields, note) -> None:
    assert expiry_event(make_subscription(**fields)) is note


def test_reminder_days_are_counted_over_the_october_clock_change() -> None:
    end = datetime(2026, 10, 26, 0, 30, tzinfo=WARSAW)

    notice = expiry_reminder(
        make_subscription(is_trial=True, end_date=end), "",
        datetime(2026, 10, 24, 23, 30, tzinfo=WARSAW).astimezone(UTC),
    )  # fmt: skip

    assert notice.payload.days == 2
