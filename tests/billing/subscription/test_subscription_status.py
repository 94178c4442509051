"""The effective status of a subscription (docs/rules.md R3, R4, R5)."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.billing.models import Subscription, SubscriptionStatus

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
