"""What an order costs and what it brings. Pure; every amount in grosze.

A company has at most one paid period that runs, perhaps prolonged by others that are paid
already. Its driver limit may change once within that time: where a lower limit was ordered
for what follows, that part is paid for at the lower price, and who wants more there pays the
difference for it, too.
"""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from prawko.billing.periods import days_left, paid_end
from prawko.billing.price import Price, period_price, upgrade_price
from prawko.invoices.sale import LineKind


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of an order, and later of its invoice. `days` are an upgrade's."""

    kind: LineKind
    net: int
    vat: int
    days: int | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A paid period that runs until `end`, and the limit that is to follow, if another.

    `next_at` before `end`: what follows is paid for already. At the end: it is only planned.
    """

    limit: int
    end: datetime
    next_limit: int | None = None
    next_at: datetime | None = None

    @property
    def paid_ahead(self) -> int | None:
        """The other limit that a part of the paid time has; None where all of it has one."""
        if self.next_at is None or self.next_at >= self.end:
            return None
        return self.next_limit

    @property
    def last_limit(self) -> int:
        """The limit that the last of the paid time has."""
        return self.limit if self.paid_ahead is None else self.paid_ahead


class Quote(msgspec.Struct, frozen=True, kw_only=True):
    """What an order costs, and until when it brings the company.

    `limit_from`: when the limit holds; None for at once, as soon as it is paid.
    """

    limit: int
    lines: tuple[Line, ...]
    end: datetime
    limit_from: datetime | None

    @property
    def price(self) -> Price:
        """The sum of the lines: VAT is rounded in each of them, and nowhere else."""
        return total(self.lines)


def period_order(
    limit: int, running: Standing | None, end: datetime | None, now: datetime
) -> Quote:
    """A period for so many drivers, and the rest of the running one where they are more.

    `end` is the running period's or the trial's, None where there is none ahead.
    """
    upgrade = () if running is None else upgrade_lines(running, limit, now)
    price = period_price(limit)
    period = Line(kind=LineKind.PERIOD, net=price.net, vat=price.vat)
    lower = running is not None and limit < running.last_limit
    return Quote(
        limit=limit,
        lines=(*upgrade, period),
        end=paid_end(end, now),
        limit_from=end if lower else None,
    )


def upgrade_lines(running: Standing, limit: int, now: datetime) -> tuple[Line, ...]:
    """What a higher limit costs for the time that is paid for at a lower one.

    No line where nothing is owed: an operator's limit may grow inside a block that is paid.
    """
    lines = []
    for lower, days in _parts(running, now):
        if limit > lower and days > 0:
            price = upgrade_price(lower, limit, days)
            lines.append(Line(kind=LineKind.UPGRADE, net=price.net, vat=price.vat, days=days))
    return tuple(line for line in lines if line.net)


def raised(running: Standing, limit: int) -> Standing:
    """The standing once a higher limit is paid for; a lower one that was planned is off."""
    ahead = running.paid_ahead
    now_limit = max(running.limit, limit)
    if ahead is None or max(ahead, limit) == now_limit:
        return Standing(limit=now_limit, end=running.end)
    return Standing(
        limit=now_limit, end=running.end, next_limit=max(ahead, limit), next_at=running.next_at
    )


def prolonged(running: Standing, limit: int, now: datetime) -> Standing:
    """The standing once another period is paid for, at this limit."""
    end = paid_end(running.end, now)
    ahead = running.paid_ahead
    if ahead is not None:
        # One change is all that fits; who has paid for the higher limit has it.
        return msgspec.structs.replace(running, end=end, next_limit=max(ahead, limit))
    if limit == running.limit:
        return Standing(limit=limit, end=end)
    return Standing(limit=running.limit, end=end, next_limit=limit, next_at=running.end)


def renewed(running: Standing, limit: int, now: datetime) -> Standing:
    """The same by our own timetable: a limit that was planned after the price stays planned."""
    after, planned = prolonged(running, limit, now), running.next_limit
    return after if planned is None or planned == limit else lowered(after, planned)


def lowered(running: Standing, limit: int) -> Standing:
    """The standing with another limit planned from the end on; the present one: none planned.

    What is paid for already stays.
    """
    if running.paid_ahead is not None:
        return running
    if limit == running.limit:
        return Standing(limit=limit, end=running.end)
    return Standing(limit=running.limit, end=running.end, next_limit=limit, next_at=running.end)


def clashes_with_paid(running: Standing, limit: int) -> bool:
    """Whether a further period at this limit would be one change more than can be kept."""
    ahead = running.paid_ahead
    return ahead is not None and limit < ahead


def total(lines: tuple[Line, ...]) -> Price:
    """The sum of lines."""
    return Price(net=sum(line.net for line in lines), vat=sum(line.vat for line in lines))


def _parts(running: Standing, now: datetime) -> Iterator[tuple[int, int]]:
    """The limits of the time that is left, and the days that each has, begun ones whole."""
    days = days_left(running.end, now)
    if running.paid_ahead is None or running.next_at is None:
        yield running.limit, days
        return
    first = days_left(running.next_at, now)
    yield running.limit, first
    yield running.paid_ahead, days - first
