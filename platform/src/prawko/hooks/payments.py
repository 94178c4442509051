"""The interface of payment providers.

A provider sees a request and its payer, never a company, a subscription or a session. The
platform decides what a payment is worth: it compares `ProviderPayment.money` with its order.
"""

import re
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

import msgspec

from prawko.hooks.errors import ProviderError
from prawko.hooks.webhooks import WebhookRequest

_REFERENCE = re.compile("[A-Za-z0-9]{1,35}", re.ASCII)
_CURRENCY = re.compile("[A-Z]{3}", re.ASCII)


class PaymentMethod(StrEnum):
    """A way to pay. Stored permanently."""

    CARD = "card"
    BLIK = "blik"
    PRZELEWY24 = "przelewy24"  # on Przelewy24's page, by any method offered there
    TRANSFER = "transfer"


class Money(msgspec.Struct, frozen=True):
    """A positive amount in the smallest unit of its currency (ISO 4217): grosze.

    Raises ValueError for anything else.
    """

    grosze: int
    currency: str = "PLN"

    def __post_init__(self) -> None:
        if self.grosze <= 0:
            raise ValueError("an amount is positive")
        if not is_valid_currency(self.currency):
            raise ValueError("a currency is three capital letters")


class Payer(msgspec.Struct, frozen=True, kw_only=True):
    """The payer; `ip` and `user_agent` are the browser's, None if the payer is not present."""

    email: str
    name: str
    language: str = "pl"
    ip: str | None = None
    user_agent: str | None = None


class PaymentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One payment to be made.

    `reference` is ours (see `is_valid_reference`), stored before the provider is called, and
    new for every attempt. The payer reads `description`; the browser returns to `return_url`
    whatever the result. `blik_code` is the code that the payer entered on our page.
    `save_payment_method` asks for a mandate.
    """

    reference: str
    money: Money
    method: PaymentMethod
    description: str
    payer: Payer
    return_url: str
    blik_code: str | None = None
    save_payment_method: bool = False

    def __post_init__(self) -> None:
        if not is_valid_reference(self.reference):
            raise ValueError("a reference is 1 to 35 letters and digits")


class PaymentRef(msgspec.Struct, frozen=True):
    """The ids of a payment: our reference and, once it is known, the provider's id."""

    reference: str
    provider_ref: str | None = None


class TransferInstructions(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a bank transfer; the payment is recognised by its title."""

    title: str
    iban: str
    owner: str
    address: str = ""


class NextAction(msgspec.Struct, frozen=True, kw_only=True):
    """The payer's next step.

    Open `url`, or make the bank transfer `transfer`, or, with neither, confirm in the bank's
    app. After `expires_in_seconds` the payment can no longer be begun; None: no such limit.
    """

    ref: PaymentRef
    url: str | None = None
    transfer: TransferInstructions | None = None
    expires_in_seconds: int | None = None


class Mandate(msgspec.Struct, frozen=True):
    """The right to charge a payer again: the provider's token and a label, such as `•••• 4242`."""

    token: str
    label: str = ""


class PaymentState(StrEnum):
    """The state of a payment at its provider. Stored permanently."""

    OPEN = "open"  # not paid; may still be
    AUTHORIZED = "authorized"  # paid by the payer; ours only once it is captured
    PAID = "paid"  # captured
    FAILED = "failed"  # not paid, and never will be
    REFUNDED = "refunded"
    DISPUTED = "disputed"  # captured; the payer has asked the bank to take it back


class ProviderPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment as its provider describes it.

    `money` is the amount paid, or to be paid. `mandate` is set if the payer gave one. `url` is
    where the payer must consent to an open charge. `reason` explains a failure.
    """

    ref: PaymentRef
    state: PaymentState
    money: Money
    mandate: Mandate | None = None
    url: str | None = None
    reason: str = ""


class PaymentEventKind(StrEnum):
    """The subject of a provider's webhook. Stored permanently."""

    PAID = "paid"
    FAILED = "failed"
    REFUNDED = "refunded"
    REFUND_FAILED = "refund_failed"
    DISPUTED = "disputed"


class PaymentEvent(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a webhook: a reason to query the provider, never the truth.

    `event_id` identifies repetitions: printable, at most `MAX_EVENT_ID_LENGTH` characters.
    `money` is the amount paid or refunded, `requested_money` the amount that was asked for, if
    the webhook names both. `refund_reference` is ours. `occurred_at` is in UTC.

    The event of a dispute may name the provider's id alone, with an empty reference; `query_status`
    then finds the payment by it.
    """

    event_id: str
    kind: PaymentEventKind
    ref: PaymentRef
    occurred_at: datetime
    money: Money | None = None
    requested_money: Money | None = None
    refund_reference: str | None = None


class RefundState(StrEnum):
    """The state of a refund at its provider. Stored permanently."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Refund(msgspec.Struct, frozen=True):
    """A refund as its provider describes it; `reason` explains a failure."""

    state: RefundState
    reason: str = ""


class ProviderCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """The abilities of a provider under its settings.

    - `recurring_methods`: methods whose mandates can be charged; if there are any, the provider
      is a `RecurringProvider`
    - `accepts_blik_codes`: a BLIK code may be entered on our page
    - `can_cancel`: an open payment can be cancelled; otherwise it expires
    - `can_query_status`: otherwise an operator records payments, and the provider is a
      `ManualProvider`
    - `can_refund`: otherwise refunds are made outside the platform
    """

    methods: frozenset[PaymentMethod]
    recurring_methods: frozenset[PaymentMethod] = frozenset()
    accepts_blik_codes: bool = False
    can_cancel: bool = False
    can_query_status: bool = True
    can_refund: bool = True


class PaymentError(ProviderError):
    """A call did not succeed.

    `permanent`: the payer is at fault (a wrong code, a declined card); this payment will not be
    made. Otherwise the result is unknown: the provider may have done it.
    """


class PaymentProvider(Protocol):
    """Takes payments through one provider, which calls us at `/api/webhooks/<name>`.

    `async` methods raise PaymentError; ProviderAccountError if our account was refused.
    """

    @property
    def name(self) -> str:
        """Unique among payment providers and channels. Stored permanently."""
        ...

    @property
    def capabilities(self) -> ProviderCapabilities:
        """Its abilities; constant for the lifetime of the process."""
        ...

    async def available_methods(self, amount: Money) -> frozenset[PaymentMethod]:
        """Return those of its methods that accept this amount at present.

        If that depends on a server, query it, and raise an error while it is unavailable, because
        payers are offered every method that is returned, and must be able to pay by it.
        """
        ...

    async def create_payment(self, request: PaymentRequest) -> NextAction:
        """Create a payment and return the payer's next step.

        Called once per reference. After an error that is not permanent, the platform queries
        the status instead of calling again.
        """
        ...

    def parse_webhook(self, request: WebhookRequest) -> PaymentEvent | None:
        """Verify the provider's call and return its event; None if it is not about us.

        Pure. Raises WebhookVerificationError or MalformedWebhookError.
        """
        ...

    async def capture(self, event: PaymentEvent, *, expected: Money) -> ProviderPayment | None:
        """Query the payment of an event, and capture it if the authorized amount is `expected`.

        Any other amount is left alone and returned as AUTHORIZED. Idempotent. Returns None if
        the provider knows no such payment. A `ManualProvider` cannot query: it trusts the
        event's amount.
        """
        ...

    async def query_status(self, ref: PaymentRef) -> ProviderPayment | None:
        """Return a payment as the provider knows it, without changing anything.

        None if the provider does not know it, or not yet: some learn of a payment only when the
        payer opens it.
        """
        ...

    async def cancel(self, ref: PaymentRef) -> ProviderPayment | None:
        """Cancel an unpaid payment, if the provider can; return its state then."""
        ...

    async def refund(self, ref: PaymentRef, amount: Money, *, refund_reference: str) -> Refund:
        """Refund a payment, in part or in full.

        Idempotent under the same `refund_reference`, which has the format of a payment's:
        another call refunds nothing more and returns the refund's current state. A refund that the
        provider refuses is returned as FAILED with its reason; an error that is raised means that
        the result is unknown, and the call is repeated.
        """
        ...

    async def close(self) -> None:
        """Close the connections; called once, at the end of the process."""
        ...


@runtime_checkable
class RecurringProvider(PaymentProvider, Protocol):
    """A provider that can charge a payer who is not present."""

    async def charge(self, mandate: Mandate, request: PaymentRequest) -> ProviderPayment:
        """Charge a mandate.

        Idempotent under the request's reference. An OPEN payment waits for the payer's consent
        at its `url`. Raises PaymentError, `permanent` if the charge was declined.
        """
        ...


@runtime_checkable
class ManualProvider(PaymentProvider, Protocol):
    """A provider whose payments an operator records from a bank statement.

    It refuses every webhook; the platform makes the events from what the operator recorded.
    """

    def extract_reference(self, title: str) -> str | None:
        """Return the reference that a transfer's title names; None if there is none.

        Pure. `title` is as the bank shows it: any case, spaces and dashes anywhere, letters
        mistaken for digits (O for 0, I and L for 1), other words around it. The reference need
        not be one of ours.
        """
        ...


def is_valid_reference(text: str) -> bool:
    """Return whether a text can be our reference of a payment or a refund.

    1 to 35 ASCII letters and digits, which every provider accepts.
    """
    return _REFERENCE.fullmatch(text) is not None


def is_valid_currency(text: str) -> bool:
    """Return whether a text has the format of a currency code: three capital ASCII letters."""
    return _CURRENCY.fullmatch(text) is not None


def synthesize_event(payment: ProviderPayment, occurred_at: datetime) -> PaymentEvent | None:
    """Return the event for a payment found by a query, as if its webhook had arrived.

    None if its state calls for none.
    """
    kind = {
        PaymentState.AUTHORIZED: PaymentEventKind.PAID,
        PaymentState.PAID: PaymentEventKind.PAID,
        PaymentState.FAILED: PaymentEventKind.FAILED,
        PaymentState.REFUNDED: PaymentEventKind.REFUNDED,
    }.get(payment.state)
    if kind is None:
        return None
    return PaymentEvent(
        event_id=f"query:{payment.ref.reference}:{payment.ref.provider_ref or ''}:{payment.state}",
        kind=kind,
        ref=payment.ref,
        occurred_at=occurred_at,
        money=payment.money,
    )
