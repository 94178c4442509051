"""Prices of periods and upgrades, and VAT. Amounts are integer grosze (docs/rules.md T5).

Net, VAT and gross are computed here alone: screens, orders and invoices show the same numbers.
"""

import msgspec

from prawko.billing.pricing.periods import PERIOD_DAYS

# P31: net price of a period, in grosze.
FIRST_BLOCK_NET = 149_00
FURTHER_BLOCK_NET = 50_00
DRIVERS_PER_BLOCK = 5
VAT_PERCENT = 23


class Price(msgspec.Struct, frozen=True):
    """A net amount and its VAT, in grosze."""

    net: int
    vat: int

    @property
    def gross(self) -> int:
        """The amount the customer pays."""
        return self.net + self.vat


def add_vat(net: int) -> Price:
    """The net amount of one line with its VAT, rounded half-up once (T5).

    Raises ValueError below zero: a correction reverses the amounts of the line it corrects.
    """
    return Price(net=net, vat=round_half_up(net * VAT_PERCENT, 100))


def period_price(driver_limit: int) -> Price:
    """The price of one period of 30 days for `driver_limit` drivers (P31).

    Started blocks count whole, the first one always: operators may set any limit from 0 (R18).
    Raises ValueError below 0.
    """
    if driver_limit < 0:
        raise ValueError(f"a limit of {driver_limit} drivers has no price")
    further_blocks = (max(driver_limit, DRIVERS_PER_BLOCK) - 1) // DRIVERS_PER_BLOCK
    return add_vat(FIRST_BLOCK_NET + further_blocks * FURTHER_BLOCK_NET)


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


def round_half_up(amount: int, divisor: int) -> int:
    """`amount / divisor`, rounded half-up. Raises ValueError for an amount below zero."""
    if amount < 0:
        raise ValueError(f"{amount} is below zero")
    return (2 * amount + divisor) // (2 * divisor)
