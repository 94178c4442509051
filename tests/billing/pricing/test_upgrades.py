"""Upgrades: their price, and when a paid one still applies (docs/rules.md T3)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.fulfilment import fits_active_period
from prawko.billing.models import SubscriptionOrder
from prawko.billing.periods import ActivePeriod, days_left, extend_end, upgrade_price
from prawko.billing.price import Price
from prawko.kit.clock import WARSAW

START = datetime(2026, 10, 10, 12, 0, tzinfo=WARSAW).astimezone(UTC)
END = extend_end(None, START)  # over the clock change of October
DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("now", "net"),
    [
        (START, 50_00),
        (START + MOMENT, 50_00),
        (START + DAY, 48_33),
        (END - 15 * DAY, 25_00),
        (END - DAY, 1_67),
        (END - MOMENT, 1_67),
    ],
)
def test_started_days_are_paid_whole(now, net) -> None:
    assert upgrade_price(5, 10, days_left(END, now)).net == net


def test_an_ended_period_is_not_upgraded() -> None:
    with pytest.raises(ValueError, match="no day"):
        upgrade_price(5, 10, days_left(END, END))


@pytest.mark.parametrize(
    ("limit", "end", "paid_at", "applies"),
    [
        (5, END, START + DAY, True),
        (5, END, START + 20 * DAY, True),  # a slow transfer, in the same period
        (5, END, END - MOMENT, True),
        (5, END, END, False),
        (5, extend_end(END, START), START + DAY, False),  # the next period was paid meanwhile
        (5, extend_end(END, START), END + DAY, False),
        (5, END - DAY, START + DAY, False),  # an operator moved the end
        (10, END, START + DAY, False),  # the same upgrade, paid twice
        (15, END, START + DAY, False),
    ],
)
def test_an_upgrade_fits_only_the_period_it_was_priced_for(limit, end, paid_at, applies) -> None:
    order = SubscriptionOrder(from_limit=5, driver_limit=10, end_date=END)

    assert fits_active_period(order, ActivePeriod(limit=limit, end=end), paid_at) is applies


def test_an_upgrade_needs_an_active_period_and_an_order_of_an_upgrade() -> None:
    upgrade, period = SubscriptionOrder(from_limit=5, end_date=END), ActivePeriod(limit=5, end=END)

    assert not fits_active_period(upgrade, None, START)
    assert not fits_active_period(SubscriptionOrder(from_limit=None, end_date=END), period, START)
    assert not fits_active_period(SubscriptionOrder(from_limit=5, end_date=None), period, START)


@given(st.integers(0, 90 * 24 * 60), st.integers(1, 60))
def test_early_payers_pay_for_all_the_days_that_are_left(minutes, blocks) -> None:
    later = extend_end(extend_end(END, START), START)
    now = START + timedelta(minutes=min(minutes, 86_000))
    price = upgrade_price(5, 5 + 5 * blocks, days_left(later, now))

    assert price.net <= 3 * 50_00 * blocks
    assert price != Price(net=0, vat=0)
