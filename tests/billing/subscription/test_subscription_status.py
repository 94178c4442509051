"""The effective status of a subscription (docs/rules.md R3, R4, R5)."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.billing.models import Subscription, SubscriptionStatus
from prawko_tenants.ids import new_id

END = datetime(2026, 11, 28, 11, 0, tzinfo=UTC)
BEFORE, AFTER = END - timedelta(microseconds=1), END + timedelta(microseconds=1)
CANCELLED = END - timedelta(days=3)


@pytest.mark.parametrize(
    ("stored", "cancelled_at", "now", "status"),
    [
        ("active", None, BEFORE, "active"),
        ("active", None, END, "expired"),
        ("active", None, AFTER, "expired"),
        ("active", CANCELLED, BEFORE, "active"),
        ("active", CANCELLED, END, "cancelled"),
        ("cancelled", None, BEFORE, "cancelled"),  # an operator closed it
        ("cancelled", CANCELLED, AFTER, "cancelled"),
        ("inactive", None, BEFORE, "inactive"),
        ("inactive", None, AFTER, "inactive"),
        ("expired", None, BEFORE, "expired"),
        ("trial", None, BEFORE, "trial"),
        ("trial", None, AFTER, "trial"),
    ],
)
def test_the_effective_status(stored, cancelled_at, now, status):
    subscription = Subscription(status=stored, end_date=END, cancelled_at=cancelled_at)

    assert subscription.status_at(now) == status


@pytest.mark.parametrize(
    "stored", [status for status in SubscriptionStatus if status is not SubscriptionStatus.ACTIVE]
)
@pytest.mark.parametrize("now", [BEFORE, END, AFTER])
def test_only_active_grants_access(stored, now):
    subscription = Subscription(status=stored, end_date=END)

    assert subscription.status_at(now) is not SubscriptionStatus.ACTIVE


GRACE_END = END + timedelta(days=3)


@pytest.mark.parametrize(
    ("cancelled_at", "before", "now", "expected"),
    [
        (None, GRACE_END, BEFORE, GRACE_END),
        (CANCELLED, GRACE_END, BEFORE, END),
        (AFTER, GRACE_END, AFTER, AFTER),  # in the grace period: checked until then
        (AFTER, END, AFTER, END),  # was not checked any more
        (None, END, GRACE_END, END),  # nor does it renew again after the grace period
    ],
)
def test_drivers_are_monitored_until_the_end_or_the_change_that_ended_it_later(
    cancelled_at, before, now, expected
):
    subscription = Subscription(
        status="expired", end_date=END, cancelled_at=cancelled_at, mandate_id=new_id(),
        is_trial=False, monitored_until=before,
    )  # fmt: skip

    subscription.set_monitored_until(now)

    assert subscription.monitored_until == expected
