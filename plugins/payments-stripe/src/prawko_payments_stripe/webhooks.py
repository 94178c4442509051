"""Verifies and parses Stripe's webhooks: sessions, charges, refunds that ended, and disputes.

Only objects with a reference of ours count, because an account may serve other shops. Events
arrive in any order and more than once.
"""

from datetime import UTC, datetime
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta
from stripe import SignatureVerificationError, WebhookSignature

from prawko.hooks.payments import Money, PaymentEvent, PaymentEventKind, PaymentRef
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko_payments_stripe.responses import (
    CHARGE_METADATA,
    ORDER_METADATA,
    REFUND_METADATA,
    CheckoutSession,
    Currency,
    Grosze,
    ListItem,
    Metadata,
    StripePaymentIntent,
    our_reference,
)
from prawko_payments_stripe.settings import StripeSettings

T = TypeVar("T")

SIGNATURE_HEADER = "stripe-signature"
TOLERANCE_SECONDS = 300

SESSION_EVENTS = {
    "checkout.session.completed": PaymentEventKind.PAID,
    "checkout.session.async_payment_succeeded": PaymentEventKind.PAID,
    "checkout.session.async_payment_failed": PaymentEventKind.FAILED,
    "checkout.session.expired": PaymentEventKind.FAILED,
}
CHARGE_EVENTS = {
    "payment_intent.succeeded": PaymentEventKind.PAID,
    "payment_intent.payment_failed": PaymentEventKind.FAILED,
    "payment_intent.canceled": PaymentEventKind.FAILED,
}
REFUND_EVENTS = frozenset({"refund.created", "refund.updated", "refund.failed"})
CHARGE_REFUNDED_EVENT = "charge.refunded"
DISPUTE_EVENT = "charge.dispute.created"
REFUND_KINDS = {
    "succeeded": PaymentEventKind.REFUNDED,
    "failed": PaymentEventKind.REFUND_FAILED,
    "canceled": PaymentEventKind.REFUND_FAILED,
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


class _ObjectType(msgspec.Struct):
    object: str = ""


class _Refund(msgspec.Struct):
    """A refund that this plugin requested."""

    amount: Grosze
    currency: Currency
    status: str
    payment_intent: str
    metadata: Metadata = None


class _Charge(msgspec.Struct):
    """A charge that was refunded, in part or in full."""

    currency: Currency
    payment_intent: str
    amount_refunded: int = 0
    metadata: Metadata = None


class _Dispute(msgspec.Struct):
    """A chargeback; its metadata are not those of the payment."""

    amount: Grosze
    currency: Currency
    payment_intent: str | None = None


def parse_webhook(request: WebhookRequest, settings: StripeSettings) -> PaymentEvent | None:
    """Return the event of a call; None if it is not about us.

    Raises WebhookVerificationError or MalformedWebhookError.
    """
    _verify_signature(request, settings)
    if _decode(request.body, _ObjectType).object != "event":
        return None
    event = _decode(request.body, _Event)
    if event.livemode is not settings.is_live or event.account is not None:
        return None
    body = event.data.object
    if event.type in SESSION_EVENTS:
        return _session_event(event, body)
    if event.type in CHARGE_EVENTS:
        return _charge_event(event, body)
    parse = _PARSERS.get(event.type)
    return parse(event, body) if parse is not None else None


def _verify_signature(request: WebhookRequest, settings: StripeSettings) -> None:
    header = request.headers.get(SIGNATURE_HEADER, "")
    if not any(
        _is_signed_with(request.body, header, secret) for secret in settings.webhook_secrets
    ):
        raise WebhookVerificationError("the signature is missing or invalid")
    # The first of several: the signature covers that one.
    at = next(part for part in header.split(",") if part.startswith("t=")).removeprefix("t=")
    if abs(request.received_at.timestamp() - int(at)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("the signature is too old, or from the future")


def _is_signed_with(body: bytes, header: str, secret: str) -> bool:
    """Return whether a body was signed with a secret, at any time.

    The SDK would compare its age with the current time instead of the time of arrival.
    """
    try:
        WebhookSignature.verify_header(body, header, secret)
    except (SignatureVerificationError, TypeError, ValueError):
        return False
    return True


def _session_event(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    reference = our_reference(_decode(body, ListItem).metadata, ORDER_METADATA)
    if reference is None:
        return None
    session = _decode(body, CheckoutSession)
    kind = SESSION_EVENTS[event.type]
    if kind is PaymentEventKind.PAID and session.payment_status != "paid":
        return None  # completed by the payer, not paid yet
    return _payment_event(event, kind, PaymentRef(reference, session.id), session.money)


def _charge_event(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    # Sessions have events of their own for their payments.
    reference = our_reference(_decode(body, ListItem).metadata, CHARGE_METADATA)
    if reference is None:
        return None
    intent = _decode(body, StripePaymentIntent)
    return _payment_event(
        event, CHARGE_EVENTS[event.type], PaymentRef(reference, intent.id), intent.money
    )


def _refund_event(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    metadata = _decode(body, ListItem).metadata
    refund_reference = our_reference(metadata, REFUND_METADATA)
    reference = our_reference(metadata, ORDER_METADATA)
    if refund_reference is None or reference is None:
        return None
    refund = _decode(body, _Refund)
    if refund.status not in REFUND_KINDS:
        return None
    ref = PaymentRef(reference, refund.payment_intent)
    money = Money(refund.amount, refund.currency.upper())
    return _payment_event(event, REFUND_KINDS[refund.status], ref, money, refund_reference)


def _charge_refunded_event(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    """Return the event of any refund, including those made in Stripe's dashboard."""
    metadata = _decode(body, ListItem).metadata
    reference = our_reference(metadata, ORDER_METADATA) or our_reference(metadata, CHARGE_METADATA)
    if reference is None:
        return None
    charge = _decode(body, _Charge)
    ref = PaymentRef(reference, charge.payment_intent)
    refunded = charge.amount_refunded
    money = Money(refunded, charge.currency.upper()) if refunded > 0 else None
    return _payment_event(event, PaymentEventKind.REFUNDED, ref, money)


def _dispute_event(event: _Event, body: msgspec.Raw) -> PaymentEvent | None:
    """Return the event of a dispute; only a query shows whose payment it is."""
    dispute = _decode(body, _Dispute)
    if dispute.payment_intent is None:
        return None
    money = Money(dispute.amount, dispute.currency.upper())
    ref = PaymentRef("", dispute.payment_intent)
    return _payment_event(event, PaymentEventKind.DISPUTED, ref, money)


_PARSERS = {
    **dict.fromkeys(REFUND_EVENTS, _refund_event),
    CHARGE_REFUNDED_EVENT: _charge_refunded_event,
    DISPUTE_EVENT: _dispute_event,
}


def _payment_event(
    event: _Event,
    kind: PaymentEventKind,
    ref: PaymentRef,
    money: Money | None,
    refund_reference: str | None = None,
) -> PaymentEvent:
    return PaymentEvent(
        event_id=event.id,
        kind=kind,
        ref=ref,
        occurred_at=datetime.fromtimestamp(event.created, UTC),
        money=money,
        refund_reference=refund_reference,
    )


def _decode(body: bytes | msgspec.Raw, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MalformedWebhookError(str(error)) from None
