"""The JSON of what is ordered and paid. Amounts are whole grosze."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from prawko.base import tax_id
from prawko.base.schemas import Incoming, Outgoing
from prawko.billing import details, limits
from prawko.billing.orders import OrderKind, OrderState
from prawko.hooks.payments import Method
from prawko.invoices.sale import LineKind

Text = Annotated[str, Meta(max_length=5000)]


def _told(**extra: object) -> Meta:
    """What is told to the client; the decoder could not name the field's sentence."""
    return Meta(extra_json_schema={"extra": extra})


TaxIdText = Annotated[Text, _told(pattern=tax_id.PATTERN, max_length=tax_id.LENGTH)]
PostalCodeText = Annotated[Text, _told(pattern=details.POSTAL_CODE, max_length=6)]
MethodText = Annotated[str, _told(enum=list(Method))]
BlikCode = Annotated[str, _told(pattern="^[0-9]{6}$")]
DriverLimit = Annotated[
    int, _told(minimum=limits.LEAST, maximum=limits.MOST, multiple_of=limits.STEP)
]


class ChangeKind(StrEnum):
    """Which way a limit changes within a period."""

    UPGRADE = "upgrade"
    DOWNGRADE = "downgrade"


class BillingDetailsIn(Incoming):
    """Who is to stand on the invoices."""

    company_name: Text = ""
    tax_id: TaxIdText = ""
    street: Text = ""
    postal_code: PostalCodeText = ""
    city: Text = ""


class CheckoutIn(Incoming):
    """A period for so many drivers (reading R28).

    What is absent of the company is as it is stored; an absent method is the page's default.
    """

    driver_limit: DriverLimit
    company_name: Text | None = None
    tax_id: TaxIdText | None = None
    street: Text | None = None
    postal_code: PostalCodeText | None = None
    city: Text | None = None
    method: MethodText | None = None
    blik_code: BlikCode | None = None


class CheckoutOut(Outgoing):
    """Where the browser goes on: to the provider's page, or to one of ours."""

    url: str
    order_id: UUID


class ChangeLimitIn(Incoming):
    """Another limit within the paid period. Without a method, the saved card pays."""

    driver_limit: DriverLimit
    method: MethodText | None = None
    blik_code: BlikCode | None = None


class LineOut(Outgoing):
    """One line of an order; `days` are those that an upgrade pays for."""

    kind: LineKind
    days: int | None
    net: int
    vat: int
    gross: int


class LimitChangeOut(Outgoing):
    """What changing the limit alone would cost, and from when on it would hold."""

    kind: ChangeKind
    net: int
    vat: int
    gross: int
    starts: datetime = msgspec.field(name="from")


class QuoteOut(Outgoing):
    """What an order would cost, and until when it would bring the company.

    `limit_from`: when the limit would hold; null for at once, as soon as it is paid. `change`
    is null without a running paid period, and for the limit that the company has.
    """

    driver_limit: int
    lines: list[LineOut]
    net: int
    vat: int
    gross: int
    new_end_date: datetime
    limit_from: datetime | None
    change: LimitChangeOut | None


class MethodOut(Outgoing):
    """A way to pay. `blik_code`: a code may be typed on our page. `renews`: it is saved."""

    method: Method
    blik_code: bool
    renews: bool


class TransferOut(Outgoing):
    """What to type into a bank's form; the title is how the money is recognised."""

    title: str
    iban: str
    owner: str
    address: str


class OrderOut(Outgoing):
    """An order and its newest payment: where to go on while it is open, why it came to nothing."""

    id: UUID
    kind: OrderKind
    state: OrderState
    method: MethodText
    driver_limit: int
    net: int
    vat: int
    gross: int
    created_at: datetime
    url: str | None
    transfer: TransferOut | None
    reason: str | None
