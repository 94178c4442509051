"""What an order costs and brings."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.clock import WARSAW
from prawko.billing.ordering import (
    Line,
    Standing,
    clashes_with_paid,
    lowered,
    period_order,
    prolonged,
    raised,
    renewed,
    total,
    upgrade_lines,
)
from prawko.billing.periods import days_later, days_left
from prawko.billing.price import period_price, upgrade_price
from prawko.invoices.sale import LineKind

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=WARSAW).astimezone(UTC)
END = days_later(NOW, 12)
RUNNING = Standing(limit=10, end=END)
AHEAD = Standing(limit=10, end=days_later(END, 30), next_limit=5, next_at=END)

LIMITS = st.integers(1, 40).map(lambda blocks: 5 * blocks)


def lines(quote_lines) -> list[tuple[str, int | None, int]]:
    return [(line.kind.value, line.days, line.net) for line in quote_lines]


def test_a_first_period_has_one_line_and_begins_now() -> None:
    quote = period_order(15, None, None, NOW)

    assert lines(quote.lines) == [("period", None, 249_00)]
    assert (quote.end, quote.limit_from) == (days_later(NOW, 30), None)
    assert quote.price == period_price(15)


def test_a_period_after_a_trial_begins_at_the_trials_end() -> None:
    quote = period_order(15, None, END, NOW)

    assert (quote.end, quote.limit_from) == (days_later(END, 30), None)


@pytest.mark.parametrize(
    ("running", "limit", "wanted", "waits"),
    [
        (RUNNING, 10, [("period", None, 199_00)], False),
        (RUNNING, 15, [("upgrade", 12, 20_00), ("period", None, 249_00)], False),
        (RUNNING, 5, [("period", None, 149_00)], True),
        (AHEAD, 5, [("period", None, 149_00)], False),
        (AHEAD, 10, [("upgrade", 30, 50_00), ("period", None, 199_00)], False),
        (
            AHEAD,
            15,
            [("upgrade", 12, 20_00), ("upgrade", 30, 100_00), ("period", None, 249_00)],
            False,
        ),
    ],
)
def test_a_period_beside_a_running_one(running, limit, wanted, waits) -> None:
    quote = period_order(limit, running, running.end, NOW)

    assert lines(quote.lines) == wanted
    assert quote.end == days_later(running.end, 30)
    assert quote.limit_from == (running.end if waits else None)


def test_vat_is_rounded_in_each_line() -> None:
    both = (
        Line(kind=LineKind.UPGRADE, net=1_50, vat=35, days=1),
        Line(kind=LineKind.UPGRADE, net=50, vat=12, days=2),
    )

    assert (total(both).net, total(both).vat) == (2_00, 47)  # of the sum it were 46


@pytest.mark.parametrize(
    ("before", "limit", "after"),
    [
        (RUNNING, 15, Standing(limit=15, end=END)),
        (lowered(RUNNING, 5), 15, Standing(limit=15, end=END)),  # a plan is off
        (AHEAD, 10, Standing(limit=10, end=AHEAD.end)),
        (AHEAD, 15, Standing(limit=15, end=AHEAD.end)),
    ],
)
def test_a_higher_limit_holds_for_all_the_time_that_is_paid(before, limit, after) -> None:
    assert raised(before, limit) == after


@pytest.mark.parametrize(
    ("before", "limit", "next_limit", "next_at"),
    [
        (RUNNING, 10, None, None),
        (RUNNING, 5, 5, END),
        (RUNNING, 15, 15, END),  # where the upgrade came too late
        (lowered(RUNNING, 5), 10, None, None),
        (AHEAD, 5, 5, END),
    ],
)
def test_a_further_period_has_its_own_limit(before, limit, next_limit, next_at) -> None:
    after = prolonged(before, limit, NOW)

    assert after.end == days_later(before.end, 30)
    assert (after.limit, after.next_limit, after.next_at) == (before.limit, next_limit, next_at)


@pytest.mark.parametrize(
    ("before", "limit", "next_limit", "next_at"),
    [
        (RUNNING, 10, None, None),
        (lowered(RUNNING, 5), 5, 5, END),  # as planned
        (lowered(RUNNING, 5), 10, 5, days_later(END, 30)),  # planned while it was charged
        (AHEAD, 5, 5, END),
    ],
)
def test_a_renewal_forgets_no_limit_that_was_planned(before, limit, next_limit, next_at) -> None:
    after = renewed(before, limit, NOW)

    assert after.end == days_later(before.end, 30)
    assert (after.limit, after.next_limit, after.next_at) == (before.limit, next_limit, next_at)


def test_what_is_paid_ahead_is_not_lowered_and_a_second_change_does_not_fit() -> None:
    assert lowered(AHEAD, 10) == AHEAD
    assert not clashes_with_paid(RUNNING, 5)
    assert not clashes_with_paid(AHEAD, 5)
    assert clashes_with_paid(Standing(limit=15, end=AHEAD.end, next_limit=10, next_at=END), 5)


@given(LIMITS, LIMITS, st.integers(1, 50), st.integers(0, 24 * 60 * 50))
def test_an_upgrade_costs_the_difference_for_the_days_left(low, more, days, minutes) -> None:
    now = min(NOW + timedelta(minutes=minutes), days_later(NOW, days) - timedelta(minutes=1))
    running = Standing(limit=low, end=days_later(NOW, days))

    [line] = upgrade_lines(running, low + more, now)

    price = upgrade_price(low, low + more, days_left(running.end, now))
    assert (line.net, line.vat) == (price.net, price.vat)
    assert upgrade_lines(raised(running, low + more), low + more, now) == ()


@given(LIMITS, LIMITS, LIMITS)
def test_nobody_pays_for_a_limit_twice_nor_gets_one_for_nothing(first, second, third) -> None:
    """Three orders, one after the other: what was paid is what every day of it costs."""
    now, running, paid = NOW, None, 0
    end: datetime | None = None
    for limit in (first, second, third):
        if running is not None and clashes_with_paid(running, limit):
            continue
        quote = period_order(limit, running, end, now)
        paid += quote.price.net
        if running is None:
            running = Standing(limit=limit, end=quote.end)
        else:
            running = prolonged(
                raised(running, limit) if upgrade_lines(running, limit, now) else running,
                limit,
                now,
            )
        end = running.end
        assert end == quote.end

    assert running is not None
    owed, at = 0, now
    while at < running.end:
        later = running.next_at is not None and running.next_limit and at >= running.next_at
        owed += period_price(running.next_limit if later else running.limit).net
        at = days_later(at, 30)
    assert paid == owed
