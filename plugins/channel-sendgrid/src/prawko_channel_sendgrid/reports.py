"""SendGrid's signed event webhook: who sent it, and what it says of our mails."""

import base64
import binascii
from datetime import UTC, datetime, timedelta

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.channels import Report, ReportKind
from prawko_channel_sendgrid.mail import DELIVERY

SIGNATURE = "x-twilio-email-event-webhook-signature"
TIMESTAMP = "x-twilio-email-event-webhook-timestamp"

# SendGrid repeats for a day what we did not take. That a repeated event does nothing is seen to
# by its id, which is remembered for longer than this.
OLDEST = timedelta(hours=25)
AHEAD = timedelta(minutes=5)

# SendGrid neither tries such a mail again nor avoids the address: the next one may get through.
BLOCKED = "blocked"

# Why SendGrid drops a mail, where the reason is the address. The others (our account's
# allowance, our content) are no fault of it.
_DROPPED_FOR = {
    "bounced address": ReportKind.DROPPED,
    "unsubscribed address": ReportKind.DROPPED,
    "invalid": ReportKind.DROPPED,
    "spam reporting address": ReportKind.SPAM,
}


class _Event(msgspec.Struct):
    """What we read of an event; `delivery` is the key we gave the mail."""

    event: str = ""
    sg_event_id: str = ""
    timestamp: float = 0.0
    type: str = ""
    reason: str = ""
    delivery: str = msgspec.field(name=DELIVERY, default="")


def read_public_key(text: str) -> EllipticCurvePublicKey:
    """The key as the webhook's settings page shows it. Raises ValueError."""
    key = load_der_public_key(base64.b64decode(text, validate=True))
    if not isinstance(key, EllipticCurvePublicKey):
        raise ValueError("the key is of another kind")  # noqa: TRY004 (see above)
    return key


def read_reports(callback: Callback, key: EllipticCurvePublicKey) -> tuple[Report, ...]:
    """What became of our mails; openings, clicks and other people's mails are left out."""
    _verify(callback, key)
    try:
        events = msgspec.json.decode(callback.body, type=list[_Event], strict=False)
        return tuple(report for event in events if (report := _report(event)) is not None)
    except (msgspec.MsgspecError, OverflowError, ValueError, OSError):
        raise GarbledCallbackError("the events cannot be read") from None


def _verify(callback: Callback, key: EllipticCurvePublicKey) -> None:
    timestamp = callback.headers.get(TIMESTAMP, "")
    try:
        signature = base64.b64decode(callback.headers.get(SIGNATURE, ""), validate=True)
        key.verify(signature, timestamp.encode() + callback.body, ECDSA(SHA256()))
        signed_at = datetime.fromtimestamp(int(timestamp), UTC)
    except (InvalidSignature, binascii.Error, ValueError, OverflowError, OSError):
        raise ForgedCallbackError("the signature is missing or somebody else's") from None
    if not -AHEAD <= callback.received_at - signed_at <= OLDEST:
        raise ForgedCallbackError("the signature is too old")


def _report(event: _Event) -> Report | None:
    kind = _kind(event)
    if kind is None or not event.delivery or not event.sg_event_id:
        return None
    return Report(
        event_id=event.sg_event_id,
        key=event.delivery,
        kind=kind,
        at=datetime.fromtimestamp(event.timestamp, UTC),
        reason=event.reason,
        passing=event.type == BLOCKED and kind is ReportKind.FAILED,
    )


def _kind(event: _Event) -> ReportKind | None:
    match event.event:
        case "delivered":
            return ReportKind.DELIVERED
        case "spamreport":
            return ReportKind.SPAM
        case "bounce":
            # A blocked mail was refused for how it came, not for whom it was.
            return ReportKind.FAILED if event.type == BLOCKED else ReportKind.BOUNCED
        case "dropped":
            return _DROPPED_FOR.get(event.reason.strip().lower(), ReportKind.FAILED)
    return None
