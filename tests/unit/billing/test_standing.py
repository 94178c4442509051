"""Where a company stands that orders, and what its paid orders do by then."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from prawko.base.clock import WARSAW
from prawko.billing.fulfilment_rules import Deed, ruling
from prawko.billing.models import Subscription
from prawko.billing.ordering import Standing
from prawko.billing.orders import OrderKind
from prawko.billing.standing import Position, end_ahead, limit_at, position_of, standing_of
from prawko.payments.buyers import Verdict

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=WARSAW).astimezone(UTC)
DAY = timedelta(days=1)


def subscription(status: str, *, ends: timedelta = DAY, **fields) -> Subscription:
    given = {"is_trial": False, "cancelled_at": None, "next_limit": None, "next_limit_at": None}
    return Subscription(status=status, driver_limit=10, end_date=NOW + ends, **{**given, **fields})


@pytest.mark.parametrize(
    ("status", "ends", "fields", "position"),
    [
        ("active", DAY, {}, Position.RUNNING),
        ("active", DAY, {"cancelled_at": NOW - DAY}, Position.RUNNING),
        ("active", DAY, {"is_trial": True}, Position.NEW),
        ("active", -DAY, {"is_trial": True}, Position.NEW),
        ("active", -DAY, {}, Position.OVER),
        ("active", timedelta(), {}, Position.OVER),
        ("active", -DAY, {"cancelled_at": NOW - 2 * DAY}, Position.NEW),
        ("expired", -DAY, {}, Position.OVER),
        ("expired", -DAY, {"is_trial": True}, Position.NEW),
        ("cancelled", -DAY, {"cancelled_at": NOW - 2 * DAY}, Position.NEW),
        ("cancelled", -DAY, {}, Position.SUSPENDED),  # an operator's word
        ("cancelled", DAY, {"cancelled_at": NOW - DAY}, Position.SUSPENDED),
        ("inactive", DAY, {}, Position.SUSPENDED),
        ("inactive", -DAY, {"is_trial": True}, Position.SUSPENDED),
        ("trial", DAY, {}, Position.NEW),
    ],
)
def test_where_a_company_stands(status, ends, fields, position) -> None:
    assert position_of(subscription(status, ends=ends, **fields), NOW) is position


def test_without_a_subscription_everything_is_new() -> None:
    assert position_of(None, NOW) is Position.NEW
    assert standing_of(None, NOW) is end_ahead(None, NOW) is None


@pytest.mark.parametrize(
    ("next_at", "limit", "ahead"), [(None, 10, None), (NOW + DAY / 2, 10, 5), (NOW, 5, None)]
)
def test_a_limit_that_follows_holds_from_its_instant_on(next_at, limit, ahead) -> None:
    running = subscription(
        "active", next_limit=None if next_at is None else 5, next_limit_at=next_at
    )

    assert limit_at(running, NOW) == limit
    assert standing_of(running, NOW) == Standing(
        limit=limit, end=NOW + DAY, next_limit=ahead, next_at=next_at if ahead else None
    )


def test_a_period_counts_from_the_end_of_what_runs_the_trial_included() -> None:
    assert end_ahead(subscription("active"), NOW) == NOW + DAY
    assert end_ahead(subscription("active", is_trial=True), NOW) == NOW + DAY
    assert end_ahead(subscription("active", ends=-DAY), NOW) is None
    assert end_ahead(subscription("expired", ends=-DAY), NOW) is None


def decide(kind, position, **more) -> Deed | Verdict:
    given = {"bought_instead": False, "cancelled": False, "upgrade_holds": True}
    return ruling(kind, position, **{**given, **more})


@pytest.mark.parametrize(
    ("kind", "new", "running", "over"),
    [
        (OrderKind.PERIOD, Deed.BEGIN, Deed.PROLONG, Deed.REVIVE),
        (OrderKind.RENEWAL, Verdict.VOID, Deed.PROLONG, Deed.REVIVE),
        (OrderKind.UPGRADE, Verdict.VOID, Deed.RAISE, Verdict.VOID),
    ],
)
def test_what_a_payment_does(kind, new, running, over) -> None:
    assert decide(kind, Position.NEW) is new
    assert decide(kind, Position.RUNNING) is running
    assert decide(kind, Position.OVER) is over
    assert decide(kind, Position.SUSPENDED) is Verdict.SUSPENDED


def test_what_was_bought_instead_is_paid_twice_whoever_ordered_it() -> None:
    for kind in (OrderKind.PERIOD, OrderKind.RENEWAL):
        for position in (Position.NEW, Position.RUNNING, Position.OVER):
            assert decide(kind, position, bought_instead=True) is Verdict.PAID_TWICE


def test_what_is_cancelled_is_not_renewed_and_may_be_ordered() -> None:
    assert decide(OrderKind.RENEWAL, Position.RUNNING, cancelled=True) is Verdict.VOID
    assert decide(OrderKind.RENEWAL, Position.OVER, cancelled=True) is Verdict.VOID
    assert decide(OrderKind.PERIOD, Position.RUNNING, cancelled=True) is Deed.PROLONG


def test_an_upgrade_that_does_not_hold_is_void() -> None:
    assert decide(OrderKind.UPGRADE, Position.RUNNING, upgrade_holds=False) is Verdict.VOID


def test_every_case_has_its_rule() -> None:
    for kind, position, *rest in product(OrderKind, Position, *[(False, True)] * 3):
        names = ("bought_instead", "cancelled", "upgrade_holds")
        found = decide(kind, position, **dict(zip(names, rest, strict=True)))
        assert isinstance(found, Deed | Verdict)
        assert (position is Position.SUSPENDED) is (found is Verdict.SUSPENDED)
