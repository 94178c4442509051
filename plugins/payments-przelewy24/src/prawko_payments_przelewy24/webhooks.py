"""Verifies and parses Przelewy24's webhooks: payments made, refunds completed or rejected.

There are none for failed or abandoned payments; those are found by polling.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from prawko.hooks.payments import (
    Money,
    PaymentEvent,
    PaymentEventKind,
    PaymentRef,
    is_valid_reference,
)
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko_payments_przelewy24 import signature
from prawko_payments_przelewy24.settings import Przelewy24Settings

T = TypeVar("T")

Grosze = Annotated[int, Meta(gt=0)]
Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$")]
REFUND_KINDS = {0: PaymentEventKind.REFUNDED, 1: PaymentEventKind.REFUND_FAILED}


class _PaymentNotification(msgspec.Struct, rename="camel"):
    merchant_id: int
    pos_id: int
    session_id: str
    amount: Grosze
    origin_amount: Grosze
    currency: Currency
    order_id: int


class _RefundNotification(msgspec.Struct, rename="camel"):
    merchant_id: int
    session_id: str
    order_id: int
    refunds_uuid: str
    amount: Grosze
    currency: Currency
    status: int


def parse_webhook(request: WebhookRequest, settings: Przelewy24Settings) -> PaymentEvent | None:
    """Return the event of a call; None if it is about another shop or not one of our references.

    Signatures contain no time: a replayed call is recognised by its event id, and at worst
    causes a query. Raises WebhookVerificationError or MalformedWebhookError.
    """
    try:
        values = msgspec.json.decode(request.body, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise WebhookVerificationError("the call is not signed JSON") from None
    if signature.has_valid_signature(signature.PAYMENT_FIELDS, values, settings.crc):
        return _payment_event(_convert(values, _PaymentNotification), request, settings)
    if signature.has_valid_signature(signature.REFUND_FIELDS, values, settings.crc):
        return _refund_event(_convert(values, _RefundNotification), request, settings)
    raise WebhookVerificationError("the signature is missing or invalid")


def _payment_event(
    notification: _PaymentNotification, request: WebhookRequest, settings: Przelewy24Settings
) -> PaymentEvent | None:
    shop = (settings.merchant, settings.effective_pos_id)
    if (notification.merchant_id, notification.pos_id) != shop or not is_valid_reference(
        notification.session_id
    ):
        return None
    return PaymentEvent(
        event_id=f"paid:{notification.session_id}:{notification.order_id}",
        kind=PaymentEventKind.PAID,
        ref=PaymentRef(notification.session_id, str(notification.order_id)),
        occurred_at=request.received_at,
        money=Money(notification.amount, notification.currency),
        requested_money=Money(notification.origin_amount, notification.currency),
    )


def _refund_event(
    notification: _RefundNotification, request: WebhookRequest, settings: Przelewy24Settings
) -> PaymentEvent | None:
    is_ours = is_valid_reference(notification.session_id) and is_valid_reference(
        notification.refunds_uuid
    )
    if notification.merchant_id != settings.merchant or not is_ours:
        return None
    if notification.status not in REFUND_KINDS:
        raise MalformedWebhookError("the refund has an unknown status")
    return PaymentEvent(
        event_id=f"refund:{notification.refunds_uuid}:{notification.status}",
        kind=REFUND_KINDS[notification.status],
        ref=PaymentRef(notification.session_id, str(notification.order_id)),
        occurred_at=request.received_at,
        money=Money(notification.amount, notification.currency),
        refund_reference=notification.refunds_uuid,
    )


def _convert(values: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise MalformedWebhookError(str(error)) from None
