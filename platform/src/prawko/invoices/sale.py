"""What was sold, as billing tells it. Pure; amounts are grosze."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from prawko.hooks.payments import Method

VAT_PERCENT = 23


class LineKind(StrEnum):
    """What a line is about. Stored for ever."""

    PERIOD = "period"
    UPGRADE = "upgrade"


class Buyer(msgspec.Struct, frozen=True, kw_only=True):
    """The company's details as they were when it ordered."""

    company_name: str
    tax_id: str
    street: str
    postal_code: str
    city: str


class SaleLine(msgspec.Struct, frozen=True, kw_only=True):
    """One thing sold. Its VAT was rounded half-up, once, where its price was reckoned.

    `days` is how many an upgrade pays for. Raises ValueError for amounts no invoice may carry.
    """

    kind: LineKind
    driver_limit: int
    days: int | None = None
    net: int
    vat: int

    def __post_init__(self) -> None:
        if self.net < 0:
            raise ValueError("a sale takes nothing back: that is a correction")
        # Half-up in whole numbers; the price's own reckoning stands in billing.
        if self.vat != (2 * self.net * VAT_PERCENT + 100) // 200:
            raise ValueError(f"{self.vat} is not the VAT of {self.net}")

    @property
    def gross(self) -> int:
        """What was paid for it."""
        return self.net + self.vat


class Sale(msgspec.Struct, frozen=True, kw_only=True):
    """An order that is paid. The period is the one its money bought; None for upgrades alone."""

    order_id: UUID
    buyer: Buyer
    lines: tuple[SaleLine, ...]
    paid_at: datetime
    method: Method
    period_from: datetime | None = None
    period_to: datetime | None = None

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("a sale has a line")

    @property
    def net(self) -> int:
        """The sum of the lines, without VAT."""
        return sum(line.net for line in self.lines)

    @property
    def vat(self) -> int:
        """The sum of the lines' VAT: rounded in each, never anew."""
        return sum(line.vat for line in self.lines)

    @property
    def gross(self) -> int:
        """What was paid."""
        return self.net + self.vat
