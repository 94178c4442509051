"""Stripe's objects, as far as we read them. Amounts are in the smallest unit of the currency."""

from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.payments import Money, is_key

# Our keys in what Stripe keeps with a payment: of an order that was placed on its page, of a
# charge of a saved card, and of a refund.
ORDER = "prawko_order"
CHARGE = "prawko_charge"
REFUND = "prawko_refund"

SUCCEEDED = "succeeded"
DECLINED = "requires_payment_method"

Grosze = Annotated[int, Meta(gt=0)]
Currency = Annotated[str, Meta(pattern="^[a-z]{3}$")]
Metadata = dict[str, str] | None


class Listed(msgspec.Struct):
    """One object of a list, whosever it is."""

    id: str
    metadata: Metadata = None


class Card(msgspec.Struct):
    """What may be shown of a card."""

    brand: str = ""
    last4: str = ""


class Method(msgspec.Struct):
    """A way to pay that belongs to a customer."""

    id: str
    type: str = ""
    card: Card | None = None


class Charge(msgspec.Struct):
    """Money that moved. `refunded` says that all of it went back."""

    refunded: bool = False
    amount_refunded: int = 0


class LastError(msgspec.Struct):
    """Why the last try to pay failed."""

    code: str | None = None
    decline_code: str | None = None


class Intent(msgspec.Struct):
    """One payment, through all its tries; an id stands for what was not asked for."""

    id: str
    amount: Grosze
    currency: Currency
    status: str
    amount_received: int = 0
    metadata: Metadata = None
    customer: str | None = None
    payment_method: Method | str | None = None
    latest_charge: Charge | str | None = None
    setup_future_usage: str | None = None
    last_payment_error: LastError | None = None

    def __post_init__(self) -> None:
        if self.status == SUCCEEDED and self.amount_received <= 0:
            raise ValueError("nothing was paid")

    @property
    def money(self) -> Money:
        """What was paid, or is to be."""
        paid = self.status == SUCCEEDED
        return Money(self.amount_received if paid else self.amount, self.currency.upper())

    @property
    def given_back(self) -> int:
        """How much of it went back to the payer."""
        charge = self.latest_charge
        return charge.amount_refunded if isinstance(charge, Charge) else 0


class Session(msgspec.Struct):
    """A page on which an order is paid."""

    id: str
    amount_total: Grosze
    currency: Currency
    status: str | None = None
    payment_status: str = ""
    payment_intent: Intent | str | None = None
    payment_method_types: list[str] = []
    metadata: Metadata = None
    url: str | None = None

    @property
    def money(self) -> Money:
        """What is to be paid."""
        return Money(self.amount_total, self.currency.upper())


class Given(msgspec.Struct):
    """A refund."""

    id: str
    status: str | None = None
    metadata: Metadata = None
    failure_reason: str | None = None


class Offered(msgspec.Struct):
    """Whether a method may be shown to payers."""

    available: bool = False


class Configuration(msgspec.Struct):
    """What the account can be paid by; another's when it names its application or parent."""

    active: bool = False
    is_default: bool = False
    application: str | None = None
    parent: str | None = None
    card: Offered | None = None
    blik: Offered | None = None
    p24: Offered | None = None

    @property
    def decides(self) -> bool:
        """Whether it is the one that our pages go by."""
        return self.active and self.is_default and not (self.application or self.parent)


def ours(metadata: Metadata, name: str) -> str | None:
    """Our key under this name, if one is there."""
    key = (metadata or {}).get(name)
    return key if key is not None and is_key(key) else None
