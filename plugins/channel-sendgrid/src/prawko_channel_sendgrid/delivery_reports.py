"""Verifies and parses SendGrid's signed event webhook."""

from datetime import UTC, datetime, timedelta

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from sendgrid.helpers.eventwebhook import EventWebhook

from prawko.hooks.channels import DeliveryReport, DeliveryReportKind
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko_channel_sendgrid.mail import DELIVERY_ARGUMENT

SIGNATURE_HEADER = "x-twilio-email-event-webhook-signature"
TIMESTAMP_HEADER = "x-twilio-email-event-webhook-timestamp"

# SendGrid repeats an event for a day until we accept it. Event ids are kept for longer than this,
# so a repeated one has no effect.
MAX_AGE = timedelta(hours=25)
MAX_CLOCK_SKEW = timedelta(minutes=5)

# SendGrid neither retries such a mail nor suppresses the address: the next one may arrive.
BLOCKED_TYPE = "blocked"

# Reasons to drop a mail that are about the address. The others (our account's quota, our
# content) say nothing about it.
_KIND_BY_DROP_REASON = {
    "bounced address": DeliveryReportKind.DROPPED,
    "unsubscribed address": DeliveryReportKind.DROPPED,
    "invalid": DeliveryReportKind.DROPPED,
    "spam reporting address": DeliveryReportKind.SPAM,
}


class _Event(msgspec.Struct):
    """The fields of an event that we use; `idempotency_key` is the one we sent with the mail."""

    event: str = ""
    sg_event_id: str = ""
    timestamp: float = 0.0
    type: str = ""
    reason: str = ""
    idempotency_key: str = msgspec.field(name=DELIVERY_ARGUMENT, default="")


def create_verifier(public_key: str) -> EventWebhook:
    """Return a verifier for the key that the webhook's settings page shows. Raises ValueError."""
    verifier = EventWebhook(public_key)
    if not isinstance(verifier.public_key, EllipticCurvePublicKey):
        raise ValueError("the key is of another kind")  # noqa: TRY004 (one error for any bad key)
    return verifier


def parse_reports(request: WebhookRequest, verifier: EventWebhook) -> tuple[DeliveryReport, ...]:
    """Return the reports about our mails; opens, clicks and mails of others are left out.

    Raises WebhookVerificationError or MalformedWebhookError.
    """
    _verify_signature(request, verifier)
    try:
        events = msgspec.json.decode(request.body, type=list[_Event], strict=False)
        return tuple(report for event in events if (report := _to_report(event)) is not None)
    except (msgspec.MsgspecError, OverflowError, ValueError, OSError):
        raise MalformedWebhookError("the events cannot be parsed") from None


def _verify_signature(request: WebhookRequest, verifier: EventWebhook) -> None:
    """Verify the signature and its age, which SendGrid's verifier does not check."""
    timestamp = request.headers.get(TIMESTAMP_HEADER, "")
    signature = request.headers.get(SIGNATURE_HEADER, "")
    try:
        body = request.body.decode()
    except UnicodeDecodeError:
        raise MalformedWebhookError("the events are not UTF-8") from None
    try:
        is_valid = verifier.verify_signature(body, signature, timestamp)
        signed_at = datetime.fromtimestamp(int(timestamp), UTC)
    except (ValueError, OverflowError, OSError):
        is_valid = False
    if not is_valid:
        raise WebhookVerificationError("the signature is missing or invalid")
    if not -MAX_CLOCK_SKEW <= request.received_at - signed_at <= MAX_AGE:
        raise WebhookVerificationError("the signature is too old")


def _to_report(event: _Event) -> DeliveryReport | None:
    kind = _report_kind(event)
    if kind is None or not event.idempotency_key or not event.sg_event_id:
        return None
    return DeliveryReport(
        event_id=event.sg_event_id,
        idempotency_key=event.idempotency_key,
        kind=kind,
        occurred_at=datetime.fromtimestamp(event.timestamp, UTC),
        reason=event.reason,
        transient=event.type == BLOCKED_TYPE and kind is DeliveryReportKind.FAILED,
    )


def _report_kind(event: _Event) -> DeliveryReportKind | None:
    match event.event:
        case "delivered":
            return DeliveryReportKind.DELIVERED
        case "spamreport":
            return DeliveryReportKind.SPAM
        case "bounce":
            # A blocked mail was refused for its sender or content, not for its recipient.
            return (
                DeliveryReportKind.FAILED
                if event.type == BLOCKED_TYPE
                else DeliveryReportKind.BOUNCED
            )
        case "dropped":
            return _KIND_BY_DROP_REASON.get(event.reason.strip().lower(), DeliveryReportKind.FAILED)
    return None
