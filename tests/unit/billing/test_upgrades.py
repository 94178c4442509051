"""A higher limit in the middle of a period."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.clock import WARSAW
from prawko.billing.periods import paid_end
from prawko.billing.price import Price
from prawko.billing.upgrades import upgrade

START = datetime(2026, 10, 10, 12, 0, tzinfo=WARSAW).astimezone(UTC)
END = paid_end(None, START)  # the long night of October lies between
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
def test_begun_days_are_paid_whole(now, net) -> None:
    assert upgrade(5, 10, END, now).price.net == net


def test_a_period_that_is_over_is_not_upgraded() -> None:
    with pytest.raises(ValueError, match="no day"):
        upgrade(5, 10, END, END)


@pytest.mark.parametrize(
    ("limit", "end", "paid_at", "holds"),
    [
        (5, END, START + DAY, True),
        (5, END, START + 20 * DAY, True),  # a slow transfer, in the same period
        (5, END, END - MOMENT, True),
        (5, END, END, False),
        (5, paid_end(END, START), START + DAY, False),  # the next period was paid meanwhile
        (5, paid_end(END, START), END + DAY, False),
        (5, END - DAY, START + DAY, False),  # an operator moved the end
        (10, END, START + DAY, False),  # the same upgrade, paid twice
        (15, END, START + DAY, False),
    ],
)
def test_an_upgrade_holds_only_for_what_it_was_priced_for(limit, end, paid_at, holds) -> None:
    assert upgrade(5, 10, END, START).holds(limit, end, paid_at) is holds


@given(st.integers(0, 90 * 24 * 60), st.integers(1, 60))
def test_early_payers_pay_for_all_the_days_that_are_left(minutes, blocks) -> None:
    later = paid_end(paid_end(END, START), START)
    ordered = upgrade(5, 5 + 5 * blocks, later, START + timedelta(minutes=min(minutes, 86_000)))

    assert ordered.price.net <= 3 * 50_00 * blocks
    assert ordered.price != Price(net=0, vat=0)
