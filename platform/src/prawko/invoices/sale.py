"""A sale, as billing passes it to invoices. Amounts in grosze."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from prawko.hooks.invoices import LineAmounts, LineTotals
from prawko.hooks.payments import PaymentMethod
from prawko.kit.money import VAT_PERCENT


class LineKind(StrEnum):
    """The kinds of order and invoice lines; stored."""

    PERIOD = "period"
    UPGRADE = "upgrade"


class Buyer(msgspec.Struct, frozen=True, kw_only=True):
    """The buyer's billing details when it ordered."""

    company_name: str
    tax_id: str
    street: str
    postal_code: str
    city: str


class SaleLine(LineAmounts, frozen=True, kw_only=True):
    """A line of a sale; `days` is set for an upgrade.

    Raises ValueError for a negative amount, or VAT that is not the net amount's (docs/rules.md T5).
    """

    kind: LineKind
    driver_limit: int
    days: int | None = None

    def __post_init__(self) -> None:
        if self.net < 0:
            raise ValueError("a sale has no negative amounts: that is a correction")
        # Half-up in integers, independent of the computation that priced the line.
        if self.vat != (2 * self.net * VAT_PERCENT + 100) // 200:
            raise ValueError(f"{self.vat} is not the VAT of {self.net}")


class Sale(LineTotals, frozen=True, kw_only=True):
    """A paid order. `period_from` and `period_to` are the paid period; None without one."""

    order_id: UUID
    buyer: Buyer
    lines: tuple[SaleLine, ...]
    paid_at: datetime
    method: PaymentMethod
    period_from: datetime | None = None
    period_to: datetime | None = None

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("a sale has a line")
