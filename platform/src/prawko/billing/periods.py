"""Trials and paid periods, quotes of them and of limit changes. Pure; amounts in grosze.

A period lasts Warsaw calendar days and ends at the same wall-clock time (docs/rules.md T1). A day
of a clock change has 23 or 25 hours; what began at noon ends at noon. Instants are aware; results
are in UTC.

A company has at most one active period, which prepaid periods may extend. Its driver limit may
change once within that time: if a lower limit is prepaid for the later part, an upgrade pays the
difference for each part separately (T3).
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from math import ceil

import msgspec

from prawko.billing.price import (
    OrderLine,
    Price,
    add_vat,
    period_line,
    period_price,
    total_price,
)
from prawko.invoices.sale import LineKind
from prawko.kit.clock import WARSAW, add_days
from prawko.kit.money import round_half_up

TRIAL_DAYS = 7
PERIOD_DAYS = 30
ONE_DAY = timedelta(days=1)


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


def trial_end(start: datetime) -> datetime:
    """The end of a trial that starts at `start`."""
    return add_days(start, TRIAL_DAYS)


def extend_end(end: datetime | None, now: datetime) -> datetime:
    """The new end once a period is paid at `now` (T2).

    Counted from the present end if that is ahead, so that paying early, or in a trial, loses
    nothing; else from now.
    """
    return add_days(now if end is None else max(now, end), PERIOD_DAYS)


def days_left(end: datetime, now: datetime) -> int:
    """Days to `end`, rounded up, never below 0 (P28).

    Counted on the wall clock: a new trial has 7 days left over the clock change in October, and
    also if its end falls into the hour that is skipped in March.
    """
    if end <= now:
        return 0
    left = max(1, ceil((_wall_clock(end) - _wall_clock(now)) / ONE_DAY))
    return left - 1 if left > 1 and add_days(now, left - 1) >= end else left


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
        """The sum of the lines."""
        return total_price(self.lines)


def quote_period(
    limit: int, period: ActivePeriod | None, end: datetime | None, now: datetime
) -> Quote:
    """The quote of a further period, with an upgrade of the active one if its limit is lower.

    `end` is the end of the active period or trial, None if there is none.
    """
    upgrade = () if period is None else proration_lines(period, limit, now)
    is_lower = period is not None and limit < period.last_limit
    return Quote(
        limit=limit,
        lines=(*upgrade, period_line(limit)),
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


def upgrade_price(from_limit: int, to_limit: int, days_left: int) -> Price:
    """The price of a higher limit for `days_left` days of the paid time (T3).

    More than 30 days may be left, if periods are prepaid. 0 if a limit set by an operator rises
    within a block that is paid. Raises ValueError if the limit does not rise or no day is left.
    """
    if to_limit <= from_limit:
        raise ValueError(f"{to_limit} drivers are not more than {from_limit}")
    if days_left < 1:
        raise ValueError("no day is left to pay for")
    difference = period_price(to_limit).net - period_price(from_limit).net
    return add_vat(round_half_up(difference * days_left, PERIOD_DAYS))


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
    return msgspec.structs.replace(with_scheduled_limit(period, limit), end=end)


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


def _segments(period: ActivePeriod, now: datetime) -> Iterator[tuple[int, int]]:
    """The limits of the remaining paid time and the days of each, rounded up."""
    days = days_left(period.end, now)
    if period.prepaid_limit is None or period.scheduled_at is None:
        yield period.limit, days
        return
    first = days_left(period.scheduled_at, now)
    yield period.limit, first
    yield period.prepaid_limit, days - first


def _wall_clock(instant: datetime) -> datetime:
    return instant.astimezone(WARSAW).replace(tzinfo=None)
