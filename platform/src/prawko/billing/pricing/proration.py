"""Quotes of periods and limit changes, and the period that results. Amounts in grosze.

A company has at most one active period, which prepaid periods may extend. Its driver limit may
change once within that time: if a lower limit is prepaid for the later part, an upgrade pays the
difference for each part separately (docs/rules.md T3).
"""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from prawko.billing.pricing.periods import days_left, extend_end
from prawko.billing.pricing.price import Price, period_price, upgrade_price
from prawko.invoices.sale import LineKind


class OrderLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of an order and of its invoice; `days` is set for an upgrade."""

    kind: LineKind
    net: int
    vat: int
    days: int | None = None


class ActivePeriod(msgspec.Struct, frozen=True, kw_only=True):
    """An active paid period until `end`, and the limit scheduled after the present one.

    `scheduled_at` before `end`: the later limit is prepaid. At the end: it is only scheduled.
    """

    limit: int
    end: datetime
    scheduled_limit: int | None = None
    scheduled_at: datetime | None = None

    @property
    def prepaid_limit(self) -> int | None:
        """The limit prepaid for the later part; None if all of the paid time has one limit."""
        if self.scheduled_at is None or self.scheduled_at >= self.end:
            return None
        return self.scheduled_limit

    @property
    def last_limit(self) -> int:
        """The limit at the end of the paid time."""
        return self.limit if self.prepaid_limit is None else self.prepaid_limit


class Quote(msgspec.Struct, frozen=True, kw_only=True):
    """The price of an order and the end it leads to.

    `limit_from` is when the limit takes effect; None for as soon as it is paid.
    """

    limit: int
    lines: tuple[OrderLine, ...]
    end: datetime
    limit_from: datetime | None

    @property
    def price(self) -> Price:
        """The sum of the lines; VAT is rounded in each line only."""
        return total_price(self.lines)


def quote_period(
    limit: int, period: ActivePeriod | None, end: datetime | None, now: datetime
) -> Quote:
    """The quote of a further period, with an upgrade of the active one if its limit is lower.

    `end` is the end of the active period or trial, None if there is none.
    """
    upgrade = () if period is None else proration_lines(period, limit, now)
    price = period_price(limit)
    line = OrderLine(kind=LineKind.PERIOD, net=price.net, vat=price.vat)
    is_lower = period is not None and limit < period.last_limit
    return Quote(
        limit=limit,
        lines=(*upgrade, line),
        end=extend_end(end, now),
        limit_from=end if is_lower else None,
    )


def proration_lines(period: ActivePeriod, limit: int, now: datetime) -> tuple[OrderLine, ...]:
    """The lines of an upgrade: a higher limit for the time paid at a lower one.

    Without lines of 0: a limit set by an operator may rise within a block that is paid.
    """
    lines = []
    for lower, days in _segments(period, now):
        if limit > lower and days > 0:
            price = upgrade_price(lower, limit, days)
            lines.append(OrderLine(kind=LineKind.UPGRADE, net=price.net, vat=price.vat, days=days))
    return tuple(line for line in lines if line.net)


def with_higher_limit(period: ActivePeriod, limit: int) -> ActivePeriod:
    """The period after a higher limit was paid; drops a lower limit that was only scheduled."""
    prepaid = period.prepaid_limit
    now_limit = max(period.limit, limit)
    if prepaid is None or max(prepaid, limit) == now_limit:
        return ActivePeriod(limit=now_limit, end=period.end)
    return ActivePeriod(
        limit=now_limit,
        end=period.end,
        scheduled_limit=max(prepaid, limit),
        scheduled_at=period.scheduled_at,
    )


def extend_period(period: ActivePeriod, limit: int, now: datetime) -> ActivePeriod:
    """The period after another one was paid, at this limit."""
    end = extend_end(period.end, now)
    prepaid = period.prepaid_limit
    if prepaid is not None:
        # Only one change can be stored: the higher of the prepaid limits holds.
        return msgspec.structs.replace(period, end=end, scheduled_limit=max(prepaid, limit))
    if limit == period.limit:
        return ActivePeriod(limit=limit, end=end)
    return ActivePeriod(limit=period.limit, end=end, scheduled_limit=limit, scheduled_at=period.end)


def renew_period(period: ActivePeriod, limit: int, now: datetime) -> ActivePeriod:
    """The period after a renewal was paid; keeps a limit scheduled since it was priced."""
    extended, scheduled = extend_period(period, limit, now), period.scheduled_limit
    if scheduled is None or scheduled == limit:
        return extended
    return with_scheduled_limit(extended, scheduled)


def with_scheduled_limit(period: ActivePeriod, limit: int) -> ActivePeriod:
    """The period with a limit scheduled at its end; the present limit clears the schedule.

    Unchanged if another limit is prepaid.
    """
    if period.prepaid_limit is not None:
        return period
    if limit == period.limit:
        return ActivePeriod(limit=limit, end=period.end)
    return ActivePeriod(
        limit=period.limit, end=period.end, scheduled_limit=limit, scheduled_at=period.end
    )


def conflicts_with_prepaid(period: ActivePeriod, limit: int) -> bool:
    """Whether a further period at this limit would need a second change of the limit."""
    prepaid = period.prepaid_limit
    return prepaid is not None and limit < prepaid


def total_price(lines: tuple[OrderLine, ...]) -> Price:
    """The sum of the lines."""
    return Price(net=sum(line.net for line in lines), vat=sum(line.vat for line in lines))


def _segments(period: ActivePeriod, now: datetime) -> Iterator[tuple[int, int]]:
    """The limits of the remaining paid time and the days of each, rounded up."""
    days = days_left(period.end, now)
    if period.prepaid_limit is None or period.scheduled_at is None:
        yield period.limit, days
        return
    first = days_left(period.scheduled_at, now)
    yield period.limit, first
    yield period.prepaid_limit, days - first
