"""The fields of Stripe's objects that we use. Amounts are in the currency's smallest unit."""

from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.payments import Money, is_valid_reference

# The metadata with our references: of a session, of a charge of a saved card, of a refund.
ORDER_METADATA = "prawko_order"
CHARGE_METADATA = "prawko_charge"
REFUND_METADATA = "prawko_refund"

SUCCEEDED = "succeeded"
DECLINED = "requires_payment_method"

Grosze = Annotated[int, Meta(gt=0)]
Currency = Annotated[str, Meta(pattern="^[a-z]{3}$")]
Metadata = dict[str, str] | None


class ListItem(msgspec.Struct):
    """Any object of a list."""

    id: str
    metadata: Metadata = None


class CardDetails(msgspec.Struct):
    """The details of a card that may be shown."""

    brand: str = ""
    last4: str = ""


class CustomerPaymentMethod(msgspec.Struct):
    """A customer's saved payment method."""

    id: str
    type: str = ""
    card: CardDetails | None = None


class StripeCharge(msgspec.Struct):
    """A charge. `refunded`: in full; `disputed`: by a chargeback."""

    refunded: bool = False
    disputed: bool = False
    amount_refunded: int = 0


class PaymentErrorDetails(msgspec.Struct):
    """The error of the last attempt to pay."""

    code: str | None = None
    decline_code: str | None = None


class StripePaymentIntent(msgspec.Struct):
    """One payment with all its attempts; objects that were not expanded are ids."""

    id: str
    amount: Grosze
    currency: Currency
    status: str
    amount_received: int = 0
    metadata: Metadata = None
    customer: str | None = None
    payment_method: CustomerPaymentMethod | str | None = None
    latest_charge: StripeCharge | str | None = None
    setup_future_usage: str | None = None
    last_payment_error: PaymentErrorDetails | None = None

    def __post_init__(self) -> None:
        if self.status == SUCCEEDED and self.amount_received <= 0:
            raise ValueError("nothing was paid")

    @property
    def money(self) -> Money:
        """The amount paid, or to be paid."""
        is_paid = self.status == SUCCEEDED
        return Money(self.amount_received if is_paid else self.amount, self.currency.upper())

    @property
    def refunded_grosze(self) -> int:
        """The amount refunded so far."""
        charge = self.latest_charge
        return charge.amount_refunded if isinstance(charge, StripeCharge) else 0


class CheckoutSession(msgspec.Struct):
    """A Checkout session: a page on which one payment is made."""

    id: str
    amount_total: Grosze
    currency: Currency
    status: str | None = None
    payment_status: str = ""
    payment_intent: StripePaymentIntent | str | None = None
    payment_method_types: list[str] = []
    metadata: Metadata = None
    url: str | None = None

    @property
    def money(self) -> Money:
        """The amount to be paid."""
        return Money(self.amount_total, self.currency.upper())


class StripeRefund(msgspec.Struct):
    """A refund."""

    id: str
    status: str | None = None
    metadata: Metadata = None
    failure_reason: str | None = None


class MethodAvailability(msgspec.Struct):
    """Whether a method may be offered to payers."""

    available: bool = False


class PaymentMethodConfiguration(msgspec.Struct):
    """The payment methods of the account, or of another if it has an application or parent."""

    active: bool = False
    is_default: bool = False
    application: str | None = None
    parent: str | None = None
    card: MethodAvailability | None = None
    blik: MethodAvailability | None = None
    p24: MethodAvailability | None = None

    @property
    def is_effective(self) -> bool:
        """Whether it applies to our sessions."""
        return self.active and self.is_default and not (self.application or self.parent)


def our_reference(metadata: Metadata, name: str) -> str | None:
    """Return our reference in metadata; None if there is none."""
    value = (metadata or {}).get(name)
    return value if value is not None and is_valid_reference(value) else None
