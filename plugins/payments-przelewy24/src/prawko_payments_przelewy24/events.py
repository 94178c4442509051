"""What Przelewy24 calls us about: a payment that was made, a refund that was done or rejected.

It calls for successes only: what failed or was given up is found by asking.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.payments import EventKind, Money, PaymentEvent, PaymentRef, is_key
from prawko_payments_przelewy24 import signs
from prawko_payments_przelewy24.settings import Settings

T = TypeVar("T")

Grosze = Annotated[int, Meta(gt=0)]
Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$")]
REFUND_KINDS = {0: EventKind.REFUNDED, 1: EventKind.REFUND_REFUSED}


class _Paid(msgspec.Struct, rename="camel"):
    merchant_id: int
    pos_id: int
    session_id: str
    amount: Grosze
    origin_amount: Grosze
    currency: Currency
    order_id: int


class _Refunded(msgspec.Struct, rename="camel"):
    merchant_id: int
    session_id: str
    order_id: int
    refunds_uuid: str
    amount: Grosze
    currency: Currency
    status: int


def read_event(callback: Callback, settings: Settings) -> PaymentEvent | None:
    """What one call says; None when it is about another shop's payment, or none of our keys.

    The sign has no time in it: an old call is told by its id, and only ever makes us ask.
    """
    try:
        values = msgspec.json.decode(callback.body, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise ForgedCallbackError("nothing is signed") from None
    if signs.is_signed(signs.PAID, values, settings.crc):
        return _paid(_converted(values, _Paid), callback, settings)
    if signs.is_signed(signs.REFUNDED, values, settings.crc):
        return _refunded(_converted(values, _Refunded), callback, settings)
    raise ForgedCallbackError("the sign is missing or wrong")


def _paid(call: _Paid, callback: Callback, settings: Settings) -> PaymentEvent | None:
    shop = (settings.merchant, settings.shop)
    if (call.merchant_id, call.pos_id) != shop or not is_key(call.session_id):
        return None
    return PaymentEvent(
        event_id=f"paid:{call.session_id}:{call.order_id}",
        kind=EventKind.PAID,
        ref=PaymentRef(call.session_id, str(call.order_id)),
        at=callback.received_at,
        money=Money(call.amount, call.currency),
        ordered=Money(call.origin_amount, call.currency),
    )


def _refunded(call: _Refunded, callback: Callback, settings: Settings) -> PaymentEvent | None:
    ours = is_key(call.session_id) and is_key(call.refunds_uuid)
    if call.merchant_id != settings.merchant or not ours:
        return None
    if call.status not in REFUND_KINDS:
        raise GarbledCallbackError("a refund is completed or rejected")
    return PaymentEvent(
        event_id=f"refund:{call.refunds_uuid}:{call.status}",
        kind=REFUND_KINDS[call.status],
        ref=PaymentRef(call.session_id, str(call.order_id)),
        at=callback.received_at,
        money=Money(call.amount, call.currency),
        refund_key=call.refunds_uuid,
    )


def _converted(values: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise GarbledCallbackError(str(error)) from None
