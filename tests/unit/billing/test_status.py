from datetime import UTC, datetime, timedelta

import pytest

from prawko.billing.status import Status, effective_status

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
        ("cancelled", None, BEFORE, "cancelled"),  # an admin's word closes at once
        ("cancelled", CANCELLED, AFTER, "cancelled"),
        ("inactive", None, BEFORE, "inactive"),
        ("inactive", None, AFTER, "inactive"),
        ("expired", None, BEFORE, "expired"),
        ("trial", None, BEFORE, "trial"),
        ("trial", None, AFTER, "trial"),
    ],
)
def test_the_status_of_the_moment(stored, cancelled_at, now, status):
    assert effective_status(stored, END, cancelled_at, now) == status


@pytest.mark.parametrize("stored", [status for status in Status if status is not Status.ACTIVE])
@pytest.mark.parametrize("now", [BEFORE, END, AFTER])
def test_only_active_ever_unlocks(stored, now):
    assert effective_status(stored, END, None, now) is not Status.ACTIVE
