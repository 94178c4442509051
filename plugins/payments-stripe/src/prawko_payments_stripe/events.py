"""What Stripe calls us about: pages, charges and refunds that came to an end.

Only what bears our key is ours: an account may serve other shops, too. Events come in any
order and more than once; each is a reason to ask.
"""

from datetime import UTC, datetime
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta
from stripe import SignatureVerificationError, WebhookSignature

from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.payments import EventKind, Money, PaymentEvent, PaymentRef
from prawko_payments_stripe.answers import (
    CHARGE,
    ORDER,
    REFUND,
    Currency,
    Grosze,
    Intent,
    Listed,
    Metadata,
    Session,
    ours,
)
from prawko_payments_stripe.settings import Settings

T = TypeVar("T")

HEADER = "stripe-signature"
TOLERANCE_SECONDS = 300

SESSIONS = {
    "checkout.session.completed": EventKind.PAID,
    "checkout.session.async_payment_succeeded": EventKind.PAID,
    "checkout.session.async_payment_failed": EventKind.FAILED,
    "checkout.session.expired": EventKind.FAILED,
}
CHARGES = {
    "payment_intent.succeeded": EventKind.PAID,
    "payment_intent.payment_failed": EventKind.FAILED,
    "payment_intent.canceled": EventKind.FAILED,
}
REFUNDS = frozenset({"refund.created", "refund.updated", "refund.failed"})
GIVEN_BACK = "charge.refunded"
REFUND_KINDS = {
    "succeeded": EventKind.REFUNDED,
    "failed": EventKind.REFUND_REFUSED,
    "canceled": EventKind.REFUND_REFUSED,
}


class _Data(msgspec.Struct):
    object: msgspec.Raw


class _Event(msgspec.Struct):
    id: Annotated[str, Meta(pattern=r"^evt_[A-Za-z0-9_]{1,200}\Z")]
    type: str
    created: Annotated[int, Meta(ge=0, le=2**32)]
    livemode: bool
    data: _Data
    account: str | None = None


class _Kind(msgspec.Struct):
    object: str = ""


class _Refund(msgspec.Struct):
    """A refund of ours; its order is told by the payment alone."""

    amount: Grosze
    currency: Currency
    status: str
    payment_intent: str
    metadata: Metadata = None


class _Charge(msgspec.Struct):
    """A payment of which something went back."""

    currency: Currency
    payment_intent: str
    amount_refunded: int = 0
    metadata: Metadata = None


def read_event(callback: Callback, settings: Settings) -> PaymentEvent | None:
    """What one call says; None when it is about nothing of ours."""
    _check_signature(callback, settings)
    if _decoded(callback.body, _Kind).object != "event":
        return None
    event = _decoded(callback.body, _Event)
    if event.livemode is not settings.live or event.account is not None:
        return None
    body = event.data.object
    if event.type in SESSIONS:
        return _of_session(event, body)
    if event.type in CHARGES:
        return _of_charge(event, body)
    if event.type in REFUNDS:
        return _of_refund(event, body)
    return _of_money_given_back(event, body) if event.type == GIVEN_BACK else None


def _check_signature(callback: Callback, settings: Settings) -> None:
    header = callback.headers.get(HEADER, "")
    if not any(_is_signed(callback.body, header, secret) for secret in settings.signing):
        raise ForgedCallbackError("the signature is missing or wrong")
    # The first of several, for that is the one that the signature was made of.
    at = next(part for part in header.split(",") if part.startswith("t=")).removeprefix("t=")
    if abs(callback.received_at.timestamp() - int(at)) > TOLERANCE_SECONDS:
        raise ForgedCallbackError("the signature is too old, or of the future")


def _is_signed(body: bytes, header: str, secret: str) -> bool:
    """Whether a body was signed with a secret; its age is not looked at.

    The SDK measures the age by the clock of this very moment, and a call may have waited.
    """
    try:
        WebhookSignature.verify_header(body, header, secret)
    except (SignatureVerificationError, TypeError, ValueError):
        return False
    return True


def _of_session(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    key = ours(_decoded(body, Listed).metadata, ORDER)
    if key is None:
        return None
    session = _decoded(body, Session)
    kind = SESSIONS[event.type]
    if kind is EventKind.PAID and session.payment_status != "paid":
        return None  # the payer is done, the money is under way
    return _about(event, kind, PaymentRef(key, session.id), session.money)


def _of_charge(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    # The payment of a page is told by the page's own events.
    key = ours(_decoded(body, Listed).metadata, CHARGE)
    if key is None:
        return None
    intent = _decoded(body, Intent)
    return _about(event, CHARGES[event.type], PaymentRef(key, intent.id), intent.money)


def _of_refund(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    metadata = _decoded(body, Listed).metadata
    refund_key, key = ours(metadata, REFUND), ours(metadata, ORDER)
    if refund_key is None or key is None:
        return None
    refund = _decoded(body, _Refund)
    if refund.status not in REFUND_KINDS:
        return None
    ref = PaymentRef(key, refund.payment_intent)
    money = Money(refund.amount, refund.currency.upper())
    return _about(event, REFUND_KINDS[refund.status], ref, money, refund_key)


def _of_money_given_back(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    """Whoever gave it back: this also comes of a refund on Stripe's own pages."""
    metadata = _decoded(body, Listed).metadata
    key = ours(metadata, ORDER) or ours(metadata, CHARGE)
    if key is None:
        return None
    charge = _decoded(body, _Charge)
    ref = PaymentRef(key, charge.payment_intent)
    back = charge.amount_refunded
    money = Money(back, charge.currency.upper()) if back > 0 else None
    return _about(event, EventKind.REFUNDED, ref, money)


def _about(
    event: _Event,
    kind: EventKind,
    ref: PaymentRef,
    money: Money | None,
    refund_key: str | None = None,
) -> PaymentEvent:
    return PaymentEvent(
        event_id=event.id,
        kind=kind,
        ref=ref,
        at=datetime.fromtimestamp(event.created, UTC),
        money=money,
        refund_key=refund_key,
    )


def _decoded(body: bytes | msgspec.Raw, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise GarbledCallbackError(str(error)) from None
