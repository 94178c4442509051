"""What a subscription costs. Pure.

Every amount is a whole number of grosze. Net, VAT and gross are reckoned here and nowhere else:
the screens, the orders and the lines of an invoice show the same three numbers.
"""

from decimal import Decimal

import msgspec

from prawko.billing.periods import PERIOD_DAYS

# Spec, section 9: net for a period, in grosze.
FIRST_BLOCK = 149_00
FURTHER_BLOCK = 50_00
DRIVERS_IN_BLOCK = 5
VAT_PERCENT = 23


class Price(msgspec.Struct, frozen=True):
    """One line: what is owed without VAT, and the VAT on it, in grosze."""

    net: int
    vat: int

    @property
    def gross(self) -> int:
        """What the customer pays."""
        return self.net + self.vat


def with_vat(net: int) -> Price:
    """The net amount of one line with its VAT, rounded half-up once (readings, "Time and money").

    Raises ValueError below zero: a correction takes back the amounts of the line it corrects.
    """
    return Price(net=net, vat=half_up(net * VAT_PERCENT, 100))


def period_price(driver_limit: int) -> Price:
    """The price of one period of 30 days for so many drivers (spec, section 9).

    A block is paid as soon as it is started, and the first one always: operators may set any
    limit from 0 (reading R18). Raises ValueError below 0.
    """
    if driver_limit < 0:
        raise ValueError(f"a limit of {driver_limit} drivers has no price")
    further = (max(driver_limit, DRIVERS_IN_BLOCK) - 1) // DRIVERS_IN_BLOCK
    return with_vat(FIRST_BLOCK + further * FURTHER_BLOCK)


def upgrade_price(from_limit: int, to_limit: int, days_left: int) -> Price:
    """The price of a higher limit for what is left of the paid time, begun days counted whole.

    More than 30 days may be left: who paid early pays for all of them. Nothing is owed where a
    limit an operator set grows inside a block that is paid. Raises ValueError when the limit
    does not grow or no day is left.
    """
    if to_limit <= from_limit:
        raise ValueError(f"{to_limit} drivers are not more than {from_limit}")
    if days_left < 1:
        raise ValueError("no day is left to pay for")
    more = period_price(to_limit).net - period_price(from_limit).net
    return with_vat(half_up(more * days_left, PERIOD_DAYS))


def half_up(amount: int, divisor: int) -> int:
    """`amount / divisor`, a half rounded up. Raises ValueError for an amount below zero."""
    if amount < 0:
        raise ValueError(f"{amount} is below zero")
    return (2 * amount + divisor) // (2 * divisor)


def zloty(grosze: int) -> Decimal:
    """The amount in zloty with two places, as columns of precision 10, scale 2 keep it."""
    return Decimal(grosze).scaleb(-2)
