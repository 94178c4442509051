"""Encodes and verifies the sandbox's webhooks: JSON with a signature over body and time."""

import hashlib
import hmac
from datetime import datetime, timedelta

import msgspec

from prawko.hooks.payments import Money, PaymentEvent, PaymentEventKind, PaymentRef, PaymentState
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko_demo.payments.store import SandboxPayment

SIGNATURE_HEADER = "sandbox-signature"
MAX_AGE = timedelta(minutes=5)
_EVENT_KINDS = {
    PaymentState.AUTHORIZED: PaymentEventKind.PAID,
    PaymentState.PAID: PaymentEventKind.PAID,
    PaymentState.FAILED: PaymentEventKind.FAILED,
    PaymentState.REFUNDED: PaymentEventKind.REFUNDED,
}
OPENED = "opened"  # the page was opened: an event that the product ignores


class _EventBody(msgspec.Struct):
    id: str
    kind: str
    key: str
    ref: str
    grosze: int
    currency: str
    at: datetime


def encode_event(payment: SandboxPayment, at: datetime) -> bytes:
    """Return the webhook's body for the payment's state; the event id is the same each time."""
    kind = _EVENT_KINDS.get(payment.state, OPENED)
    return msgspec.json.encode(
        _EventBody(
            id=f"{kind}-{payment.ref}",
            kind=kind,
            key=payment.key,
            ref=payment.ref,
            grosze=payment.grosze,
            currency=payment.currency,
            at=at,
        )
    )


def signature_headers(body: bytes, secret: bytes, at: datetime) -> dict[str, str]:
    """Return the header with the signature and its time."""
    seconds = int(at.timestamp())
    return {SIGNATURE_HEADER: f"t={seconds},v1={_signature(body, secret, seconds)}"}


def parse_event(request: WebhookRequest, secret: bytes) -> PaymentEvent | None:
    """Return the event of a webhook, None for one to ignore.

    Raises WebhookVerificationError or MalformedWebhookError.
    """
    time, _, signature = request.headers.get(SIGNATURE_HEADER, "").partition(",v1=")
    seconds = time.removeprefix("t=")
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) <= len("9999999999")):
        raise WebhookVerificationError("the signature is missing or wrong")
    expected = _signature(request.body, secret, int(seconds))
    if not hmac.compare_digest(signature.encode(), expected.encode()):
        raise WebhookVerificationError("the signature is missing or wrong")
    if abs(request.received_at.timestamp() - int(seconds)) > MAX_AGE.total_seconds():
        raise WebhookVerificationError("the call is too old")
    try:
        event = msgspec.json.decode(request.body, type=_EventBody)
        if event.kind == OPENED:
            return None
        return PaymentEvent(
            event_id=event.id,
            kind=PaymentEventKind(event.kind),
            ref=PaymentRef(event.key, event.ref),
            occurred_at=event.at,
            money=Money(event.grosze, event.currency),
        )
    except (msgspec.MsgspecError, ValueError):
        raise MalformedWebhookError("this is no event of the sandbox") from None


def _signature(body: bytes, secret: bytes, seconds: int) -> str:
    return hmac.new(secret, f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
