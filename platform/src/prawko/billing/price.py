"""The driver limits that may be ordered, prices of periods, and the lines of orders. Pure.

Amounts are integer grosze (docs/rules.md T5). Net, VAT and gross are computed here, in
`billing.periods` and in `kit.money` alone: screens, orders and invoices show the same numbers.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from prawko.invoices.sale import LineKind
from prawko.kit.money import compute_vat

# P5: the driver limits that may be ordered.
MIN_LIMIT = 5
MAX_LIMIT = 10_000
LIMIT_STEP = 5
# P31: net price of a period, in grosze.
FIRST_BLOCK_NET = 149_00
FURTHER_BLOCK_NET = 50_00
DRIVERS_PER_BLOCK = 5


class Price(msgspec.Struct, frozen=True):
    """A net amount and its VAT, in grosze."""

    net: int
    vat: int

    @property
    def gross(self) -> int:
        """The amount the customer pays."""
        return self.net + self.vat


class OrderLine(Price, frozen=True, kw_only=True, omit_defaults=True):
    """A line of an order and of its invoice; `days` is set for an upgrade."""

    kind: LineKind
    days: int | None = None


def add_vat(net: int) -> Price:
    """The net amount of one line with its VAT. Raises ValueError below 0.

    A correction reverses the amounts of the line it corrects.
    """
    return Price(net=net, vat=compute_vat(net))


def period_price(driver_limit: int) -> Price:
    """The price of one period of 30 days for `driver_limit` drivers (P31).

    Started blocks count whole, the first one always: operators may set any limit from 0 (R18).
    Raises ValueError below 0.
    """
    if driver_limit < 0:
        raise ValueError(f"a limit of {driver_limit} drivers has no price")
    further_blocks = (max(driver_limit, DRIVERS_PER_BLOCK) - 1) // DRIVERS_PER_BLOCK
    return add_vat(FIRST_BLOCK_NET + further_blocks * FURTHER_BLOCK_NET)


def period_line(driver_limit: int) -> OrderLine:
    """The line of one period."""
    price = period_price(driver_limit)
    return OrderLine(kind=LineKind.PERIOD, net=price.net, vat=price.vat)


def total_price(lines: Sequence[OrderLine]) -> Price:
    """The sum of the lines; VAT is rounded in each line only."""
    return Price(net=sum(line.net for line in lines), vat=sum(line.vat for line in lines))


class LimitProblem(StrEnum):
    """Why a limit cannot be ordered."""

    TOO_LOW = "too_low"
    TOO_HIGH = "too_high"
    NOT_A_STEP = "not_a_step"
    BELOW_DRIVERS = "below_drivers"


def limit_problem(limit: int, drivers: int) -> LimitProblem | None:
    """Why a company with `drivers` drivers cannot order `limit`; None if it can.

    The same for a first order, an upgrade and a downgrade: to order a limit below its number of
    drivers, a company removes some first.
    """
    if limit < MIN_LIMIT:
        return LimitProblem.TOO_LOW
    if limit > MAX_LIMIT:
        return LimitProblem.TOO_HIGH
    if limit % LIMIT_STEP:
        return LimitProblem.NOT_A_STEP
    return LimitProblem.BELOW_DRIVERS if limit < drivers else None
