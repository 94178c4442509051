"""Quotes, and the periods that paid orders lead to (docs/rules.md T2, T3)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.periods import (
    ActivePeriod,
    conflicts_with_prepaid,
    days_left,
    extend_period,
    proration_lines,
    quote_period,
    renew_period,
    upgrade_price,
    with_higher_limit,
    with_scheduled_limit,
)
from prawko.billing.price import OrderLine, period_price, total_price
from prawko.invoices.sale import LineKind
from prawko.kit.clock import WARSAW, add_days

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=WARSAW).astimezone(UTC)
END = add_days(NOW, 12)
RUNNING = ActivePeriod(limit=10, end=END)
AHEAD = ActivePeriod(limit=10, end=add_days(END, 30), scheduled_limit=5, scheduled_at=END)

LIMITS = st.integers(1, 40).map(lambda blocks: 5 * blocks)


def line_values(quote_lines) -> list[tuple[str, int | None, int]]:
    return [(line.kind.value, line.days, line.net) for line in quote_lines]


def test_a_first_period_has_one_line_and_starts_now() -> None:
    quote = quote_period(15, None, None, NOW)

    assert line_values(quote.lines) == [("period", None, 249_00)]
    assert (quote.end, quote.limit_from) == (add_days(NOW, 30), None)
    assert quote.price == period_price(15)


def test_a_period_after_a_trial_starts_at_the_end_of_the_trial() -> None:
    quote = quote_period(15, None, END, NOW)

    assert (quote.end, quote.limit_from) == (add_days(END, 30), None)


@pytest.mark.parametrize(
    ("running", "limit", "expected", "is_scheduled"),
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
def test_the_quote_of_a_period_while_another_is_active(
    running, limit, expected, is_scheduled
) -> None:
    quote = quote_period(limit, running, running.end, NOW)

    assert line_values(quote.lines) == expected
    assert quote.end == add_days(running.end, 30)
    assert quote.limit_from == (running.end if is_scheduled else None)


def test_vat_is_rounded_in_each_line() -> None:
    both = (
        OrderLine(kind=LineKind.UPGRADE, net=1_50, vat=35, days=1),
        OrderLine(kind=LineKind.UPGRADE, net=50, vat=12, days=2),
    )

    assert (total_price(both).net, total_price(both).vat) == (
        2_00,
        47,
    )  # VAT of the sum would be 46


@pytest.mark.parametrize(
    ("before", "limit", "after"),
    [
        (RUNNING, 15, ActivePeriod(limit=15, end=END)),
        (
            with_scheduled_limit(RUNNING, 5),
            15,
            ActivePeriod(limit=15, end=END),
        ),  # drops the scheduled limit
        (AHEAD, 10, ActivePeriod(limit=10, end=AHEAD.end)),
        (AHEAD, 15, ActivePeriod(limit=15, end=AHEAD.end)),
    ],
)
def test_a_higher_limit_covers_all_of_the_paid_time(before, limit, after) -> None:
    assert with_higher_limit(before, limit) == after


@pytest.mark.parametrize(
    ("before", "limit", "next_limit", "next_at"),
    [
        (RUNNING, 10, None, None),
        (RUNNING, 5, 5, END),
        (RUNNING, 15, 15, END),  # the upgrade was void
        (with_scheduled_limit(RUNNING, 5), 10, None, None),
        (AHEAD, 5, 5, END),
    ],
)
def test_a_further_period_has_a_limit_of_its_own(before, limit, next_limit, next_at) -> None:
    after = extend_period(before, limit, NOW)

    assert after.end == add_days(before.end, 30)
    assert (after.limit, after.scheduled_limit, after.scheduled_at) == (
        before.limit,
        next_limit,
        next_at,
    )


@pytest.mark.parametrize(
    ("before", "limit", "next_limit", "next_at"),
    [
        (RUNNING, 10, None, None),
        (with_scheduled_limit(RUNNING, 5), 5, 5, END),  # as scheduled
        (
            with_scheduled_limit(RUNNING, 5),
            10,
            5,
            add_days(END, 30),
        ),  # scheduled during the charge
        (AHEAD, 5, 5, END),
    ],
)
def test_a_renewal_keeps_a_scheduled_limit(before, limit, next_limit, next_at) -> None:
    after = renew_period(before, limit, NOW)

    assert after.end == add_days(before.end, 30)
    assert (after.limit, after.scheduled_limit, after.scheduled_at) == (
        before.limit,
        next_limit,
        next_at,
    )


def test_a_prepaid_limit_is_not_lowered_and_a_second_change_conflicts() -> None:
    assert with_scheduled_limit(AHEAD, 10) == AHEAD
    assert not conflicts_with_prepaid(RUNNING, 5)
    assert not conflicts_with_prepaid(AHEAD, 5)
    assert conflicts_with_prepaid(
        ActivePeriod(limit=15, end=AHEAD.end, scheduled_limit=10, scheduled_at=END), 5
    )


@given(LIMITS, LIMITS, st.integers(1, 50), st.integers(0, 24 * 60 * 50))
def test_an_upgrade_costs_the_difference_for_the_days_left(low, more, days, minutes) -> None:
    now = min(NOW + timedelta(minutes=minutes), add_days(NOW, days) - timedelta(minutes=1))
    running = ActivePeriod(limit=low, end=add_days(NOW, days))

    [line] = proration_lines(running, low + more, now)

    price = upgrade_price(low, low + more, days_left(running.end, now))
    assert (line.net, line.vat) == (price.net, price.vat)
    assert proration_lines(with_higher_limit(running, low + more), low + more, now) == ()


@given(LIMITS, LIMITS, LIMITS)
def test_three_orders_cost_what_each_day_of_the_paid_time_costs(first, second, third) -> None:
    """The sum of the quotes equals the price of the resulting periods."""
    now, running, paid = NOW, None, 0
    end: datetime | None = None
    for limit in (first, second, third):
        if running is not None and conflicts_with_prepaid(running, limit):
            continue
        quote = quote_period(limit, running, end, now)
        paid += quote.price.net
        if running is None:
            running = ActivePeriod(limit=limit, end=quote.end)
        else:
            running = extend_period(
                with_higher_limit(running, limit)
                if proration_lines(running, limit, now)
                else running,
                limit,
                now,
            )
        end = running.end
        assert end == quote.end

    assert running is not None
    total, at = 0, now
    while at < running.end:
        later = (
            running.scheduled_at is not None
            and running.scheduled_limit
            and at >= running.scheduled_at
        )
        total += period_price(running.scheduled_limit if later else running.limit).net
        at = add_days(at, 30)
    assert paid == total
