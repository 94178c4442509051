"""What a payment provider must be able to do.

A provider sees an order and its payer, never a company, a subscription or a session. What a
payment is worth is for the platform to decide: it compares `Payment.money` with its order.
"""

import re
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

import msgspec

from prawko.hooks.callbacks import Callback

_KEY = re.compile("[A-Za-z0-9]{1,35}", re.ASCII)
_CURRENCY = re.compile("[A-Z]{3}", re.ASCII)


class Method(StrEnum):
    """How a payer pays. Stored for ever."""

    CARD = "card"
    BLIK = "blik"
    PRZELEWY24 = "przelewy24"  # on Przelewy24's own page, by whatever it offers there
    TRANSFER = "transfer"


class Money(msgspec.Struct, frozen=True):
    """A sum above nothing, in the smallest unit of its currency: grosze."""

    grosze: int
    currency: str = "PLN"

    def __post_init__(self) -> None:
        if self.grosze <= 0:
            raise ValueError("a sum is above nothing")
        if not _CURRENCY.fullmatch(self.currency):
            raise ValueError("a currency is three capital letters")


class Payer(msgspec.Struct, frozen=True, kw_only=True):
    """Who pays. `ip` and `agent` are the browser's; None where nobody sits at one."""

    email: str
    name: str
    language: str = "pl"
    ip: str | None = None
    agent: str | None = None


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be paid, once.

    `key` is ours, stored before the provider hears of it, and new for every try: 1 to 35 ASCII
    letters and digits. `title` is for the payer to read. `return_url` is where the browser
    comes back to, whatever happened. `blik_code` is what the payer typed on our page.
    `save` asks for a mandate.
    """

    key: str
    money: Money
    method: Method
    title: str
    payer: Payer
    return_url: str
    blik_code: str | None = None
    save: bool = False

    def __post_init__(self) -> None:
        if not is_key(self.key):
            raise ValueError("a key is 1 to 35 letters and digits")


class PaymentRef(msgspec.Struct, frozen=True):
    """A payment's two names: our order's key and, as soon as it is known, the provider's."""

    key: str
    provider_ref: str | None = None


class Transfer(msgspec.Struct, frozen=True, kw_only=True):
    """What a payer types into a bank's form; the title is how the money is recognised."""

    title: str
    iban: str
    owner: str
    address: str = ""


class Redirect(msgspec.Struct, frozen=True, kw_only=True):
    """Where a payer goes on.

    To `url`; or nowhere: `transfer` says what to pay, or an app asks for consent. After
    `open_seconds` nobody can begin to pay any more; None where it stays open.
    """

    ref: PaymentRef
    url: str | None = None
    transfer: Transfer | None = None
    open_seconds: int | None = None


class Mandate(msgspec.Struct, frozen=True):
    """The provider's reference to a saved card, or to a standing consent, and what to call it."""

    token: str
    label: str = ""


class PaymentState(StrEnum):
    """How far a payment is. Stored for ever."""

    OPEN = "open"  # not paid, and may still be
    CLAIMED = "claimed"  # paid by the payer; ours only once it is confirmed
    PAID = "paid"  # ours
    FAILED = "failed"  # not paid, and never will be
    REFUNDED = "refunded"


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """What the provider itself says of a payment.

    `money` is what was paid, or is to be. `mandate` is there where one was given. `url` is
    where a payer must go to consent to a charge that is open.
    """

    ref: PaymentRef
    state: PaymentState
    money: Money
    mandate: Mandate | None = None
    url: str | None = None
    reason: str = ""


class EventKind(StrEnum):
    """What a provider's call is about. Stored for ever."""

    PAID = "paid"
    FAILED = "failed"
    REFUNDED = "refunded"
    REFUND_REFUSED = "refund_refused"


class PaymentEvent(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider called us about: a reason to ask, never the truth.

    `event_id` tells a repeated call from a new one: printable, at most 400 characters.
    `money` is what the call says was paid or given back, `ordered` what it says was asked
    for, where it says both. `refund_key` is ours. `at` is UTC.
    """

    event_id: str
    kind: EventKind
    ref: PaymentRef
    at: datetime
    money: Money | None = None
    ordered: Money | None = None
    refund_key: str | None = None


class RefundState(StrEnum):
    """How far a refund is. Stored for ever."""

    PENDING = "pending"
    DONE = "done"
    REFUSED = "refused"


class Refund(msgspec.Struct, frozen=True):
    """What the provider itself says of a refund."""

    state: RefundState
    reason: str = ""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider can do as it is configured.

    `renews` are the methods whose mandates can be charged; a provider that has any is a
    `RenewingProvider`. `blik_codes`: a BLIK code may be typed on our page. `cancels`: an open
    order can be ended; elsewhere it ends by itself. `asks`: what became of a payment is found
    by asking; elsewhere an operator tells, and the provider is a `BookedProvider`. `refunds`:
    money is given back through it; elsewhere a person gives it back.
    """

    methods: frozenset[Method]
    renews: frozenset[Method] = frozenset()
    blik_codes: bool = False
    cancels: bool = False
    asks: bool = True
    refunds: bool = True


class PaymentError(Exception):
    """The provider did not do what it was asked.

    `permanent` means: the payer's fault (a wrong code, a refused card); this order will not be
    paid. Otherwise nobody knows what happened: it may have been done. `retry_after` is in
    seconds, where the provider named it.
    """

    def __init__(
        self, reason: str, *, permanent: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.permanent = permanent
        self.retry_after = retry_after


class PaymentProvider(Protocol):
    """One provider of payments. It calls us at `/api/webhooks/<name>`.

    Every `async` method raises PaymentError, or AccountError when our own account was refused.
    """

    @property
    def name(self) -> str:
        """Unique and stored for ever."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """The same for as long as the process lives."""
        ...

    async def available(self, money: Money) -> frozenset[Method]:
        """Those of its methods that take this sum at present."""
        ...

    async def start(self, order: Order) -> Redirect:
        """Register an order and say where its payer goes on.

        Called once for a key. After an error that is not permanent, ask for the status.
        """
        ...

    def read_event(self, callback: Callback) -> PaymentEvent | None:
        """What the provider's call says; None when it is about nothing of ours.

        Pure. Raises ForgedCallbackError or GarbledCallbackError.
        """
        ...

    async def confirm(self, event: PaymentEvent, *, expected: Money) -> Payment | None:
        """Ask the provider for the truth, and take the money if a claim says `expected`.

        A claim of any other sum is left alone and comes back CLAIMED. May be called any number
        of times. None when the provider knows no such payment. A `BookedProvider` has nobody
        to ask: it goes by what the event says was paid.
        """
        ...

    async def status(self, ref: PaymentRef) -> Payment | None:
        """What the provider knows of a payment, and nothing changed by asking.

        None when it knows none, or none as yet: an order that nobody opened may be unknown.
        """
        ...

    async def cancel(self, ref: PaymentRef) -> Payment | None:
        """End an order if the provider can and nobody has paid; return what became of it."""
        ...

    async def refund(self, ref: PaymentRef, amount: Money, *, key: str) -> Refund:
        """Give a part or all of a payment back.

        Called again with the same `key`, made like an order's, it gives nothing twice and
        says how far it is.
        """
        ...

    async def close(self) -> None:
        """Give back connections; the process is about to end."""
        ...


@runtime_checkable
class RenewingProvider(PaymentProvider, Protocol):
    """A provider that can charge without the payer being there."""

    async def charge(self, mandate: Mandate, order: Order) -> Payment:
        """Charge a saved card or a consent.

        Called again with the same order, it charges once. An OPEN payment waits for the
        payer's consent at its `url`. Raises PaymentError, `permanent` when it was refused.
        """
        ...


@runtime_checkable
class BookedProvider(PaymentProvider, Protocol):
    """A provider whose payments an operator books from a bank statement.

    It is called by nobody: the events that it confirms are made of what the operator said.
    """

    def key_in(self, title: str) -> str | None:
        """The key of the order that a title was written for; None when it names none.

        Pure. `title` is what came over the bank: in any case, with blanks and dashes anywhere,
        letters taken for digits (O for 0, I and L for 1), and other words around it. A key
        that it returns need not be one of ours.
        """
        ...


def is_key(text: str) -> bool:
    """Whether a text can be the key of an order or a refund."""
    return _KEY.fullmatch(text) is not None


def event_of(payment: Payment, at: datetime) -> PaymentEvent | None:
    """The event that a payment found by asking makes up for; None while there is none."""
    kind = {
        PaymentState.CLAIMED: EventKind.PAID,
        PaymentState.PAID: EventKind.PAID,
        PaymentState.FAILED: EventKind.FAILED,
        PaymentState.REFUNDED: EventKind.REFUNDED,
    }.get(payment.state)
    if kind is None:
        return None
    return PaymentEvent(
        event_id=f"asked:{payment.ref.key}:{payment.ref.provider_ref or ''}:{payment.state}",
        kind=kind,
        ref=payment.ref,
        at=at,
        money=payment.money,
    )
