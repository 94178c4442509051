"""The lifecycle of a subscription, and what paid orders do in each."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from prawko.billing.fulfilment import FulfilmentAction, decide_fulfilment
from prawko.billing.models import OrderKind, Subscription
from prawko.billing.periods import ActivePeriod
from prawko.billing.state import (
    Lifecycle,
    active_period,
    current_end,
    effective_limit,
    lifecycle_of,
)
from prawko.kit.clock import WARSAW
from prawko.payments.order_handler import FulfilmentResult

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=WARSAW).astimezone(UTC)
DAY = timedelta(days=1)


def make_subscription(status: str, *, ends: timedelta = DAY, **fields) -> Subscription:
    values = {
        "is_trial": False,
        "cancelled_at": None,
        "scheduled_limit": None,
        "scheduled_limit_at": None,
    }
    return Subscription(status=status, driver_limit=10, end_date=NOW + ends, **{**values, **fields})


@pytest.mark.parametrize(
    ("status", "ends", "fields", "lifecycle"),
    [
        ("active", DAY, {}, Lifecycle.ACTIVE),
        ("active", DAY, {"cancelled_at": NOW - DAY}, Lifecycle.ACTIVE),
        ("active", DAY, {"is_trial": True}, Lifecycle.NEW),
        ("active", -DAY, {"is_trial": True}, Lifecycle.NEW),
        ("active", -DAY, {}, Lifecycle.LAPSED),
        ("active", timedelta(), {}, Lifecycle.LAPSED),
        ("active", -DAY, {"cancelled_at": NOW - 2 * DAY}, Lifecycle.NEW),
        ("expired", -DAY, {}, Lifecycle.LAPSED),
        ("expired", -DAY, {"is_trial": True}, Lifecycle.NEW),
        ("cancelled", -DAY, {"cancelled_at": NOW - 2 * DAY}, Lifecycle.NEW),
        ("cancelled", -DAY, {}, Lifecycle.SUSPENDED),  # set by an operator
        ("cancelled", DAY, {"cancelled_at": NOW - DAY}, Lifecycle.SUSPENDED),
        ("inactive", DAY, {}, Lifecycle.SUSPENDED),
        ("inactive", -DAY, {"is_trial": True}, Lifecycle.SUSPENDED),
        ("trial", DAY, {}, Lifecycle.NEW),
    ],
)
def test_the_lifecycle_of_a_subscription(status, ends, fields, lifecycle) -> None:
    assert lifecycle_of(make_subscription(status, ends=ends, **fields), NOW) is lifecycle


def test_without_a_subscription_the_lifecycle_is_new() -> None:
    assert lifecycle_of(None, NOW) is Lifecycle.NEW
    assert active_period(None, NOW) is current_end(None, NOW) is None


@pytest.mark.parametrize(
    ("next_at", "limit", "ahead"), [(None, 10, None), (NOW + DAY / 2, 10, 5), (NOW, 5, None)]
)
def test_a_scheduled_limit_is_effective_from_its_time_on(next_at, limit, ahead) -> None:
    subscription = make_subscription(
        "active", scheduled_limit=None if next_at is None else 5, scheduled_limit_at=next_at
    )

    assert effective_limit(subscription, NOW) == limit
    assert active_period(subscription, NOW) == ActivePeriod(
        limit=limit, end=NOW + DAY, scheduled_limit=ahead, scheduled_at=next_at if ahead else None
    )


def test_a_period_counts_from_the_end_of_the_active_one_or_of_the_trial() -> None:
    assert current_end(make_subscription("active"), NOW) == NOW + DAY
    assert current_end(make_subscription("active", is_trial=True), NOW) == NOW + DAY
    assert current_end(make_subscription("active", ends=-DAY), NOW) is None
    assert current_end(make_subscription("expired", ends=-DAY), NOW) is None


def decide_case(kind, lifecycle, **changes) -> FulfilmentAction | FulfilmentResult:
    values = {"replaced_by_paid": False, "cancelled": False, "upgrade_fits": True}
    return decide_fulfilment(kind, lifecycle, **{**values, **changes})


@pytest.mark.parametrize(
    ("kind", "new", "active", "expired"),
    [
        (
            OrderKind.PERIOD,
            FulfilmentAction.CREATE,
            FulfilmentAction.EXTEND,
            FulfilmentAction.REACTIVATE,
        ),
        (
            OrderKind.RENEWAL,
            FulfilmentResult.VOID,
            FulfilmentAction.EXTEND,
            FulfilmentAction.REACTIVATE,
        ),
        (OrderKind.UPGRADE, FulfilmentResult.VOID, FulfilmentAction.UPGRADE, FulfilmentResult.VOID),
    ],
)
def test_the_action_of_each_kind_of_order(kind, new, active, expired) -> None:
    assert decide_case(kind, Lifecycle.NEW) is new
    assert decide_case(kind, Lifecycle.ACTIVE) is active
    assert decide_case(kind, Lifecycle.LAPSED) is expired
    assert decide_case(kind, Lifecycle.SUSPENDED) is FulfilmentResult.SUSPENDED


def test_an_order_replaced_by_a_paid_one_is_paid_twice() -> None:
    for kind in (OrderKind.PERIOD, OrderKind.RENEWAL):
        for lifecycle in (Lifecycle.NEW, Lifecycle.ACTIVE, Lifecycle.LAPSED):
            assert (
                decide_case(kind, lifecycle, replaced_by_paid=True) is FulfilmentResult.PAID_TWICE
            )


def test_a_cancelled_subscription_is_not_renewed_and_may_be_ordered() -> None:
    assert decide_case(OrderKind.RENEWAL, Lifecycle.ACTIVE, cancelled=True) is FulfilmentResult.VOID
    assert decide_case(OrderKind.RENEWAL, Lifecycle.LAPSED, cancelled=True) is FulfilmentResult.VOID
    assert (
        decide_case(OrderKind.PERIOD, Lifecycle.ACTIVE, cancelled=True) is FulfilmentAction.EXTEND
    )


def test_an_upgrade_that_does_not_apply_is_void() -> None:
    assert (
        decide_case(OrderKind.UPGRADE, Lifecycle.ACTIVE, upgrade_fits=False)
        is FulfilmentResult.VOID
    )


def test_every_case_has_a_rule() -> None:
    for kind, lifecycle, *rest in product(OrderKind, Lifecycle, *[(False, True)] * 3):
        names = ("replaced_by_paid", "cancelled", "upgrade_fits")
        decision = decide_case(kind, lifecycle, **dict(zip(names, rest, strict=True)))
        assert isinstance(decision, FulfilmentAction | FulfilmentResult)
        assert (lifecycle is Lifecycle.SUSPENDED) is (decision is FulfilmentResult.SUSPENDED)
