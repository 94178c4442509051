"""The sandbox's calls: JSON, signed with the time at which they were made."""

import hashlib
import hmac
from datetime import datetime, timedelta

import msgspec

from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.payments import EventKind, Money, PaymentEvent, PaymentRef, PaymentState
from prawko_demo.payments.store import Kept

HEADER = "sandbox-signature"
OLDEST = timedelta(minutes=5)
_KINDS = {
    PaymentState.CLAIMED: EventKind.PAID,
    PaymentState.PAID: EventKind.PAID,
    PaymentState.FAILED: EventKind.FAILED,
    PaymentState.REFUNDED: EventKind.REFUNDED,
}
OPENED = "opened"  # told of a page that somebody looks at: of no interest


class _Call(msgspec.Struct):
    id: str
    kind: str
    key: str
    ref: str
    grosze: int
    currency: str
    at: datetime


def body_of(kept: Kept, at: datetime) -> bytes:
    """The call about what became of a payment; the same event, however often it is made."""
    kind = _KINDS.get(kept.state, OPENED)
    return msgspec.json.encode(
        _Call(
            id=f"{kind}-{kept.ref}",
            kind=kind,
            key=kept.key,
            ref=kept.ref,
            grosze=kept.grosze,
            currency=kept.currency,
            at=at,
        )
    )


def signed(body: bytes, secret: bytes, at: datetime) -> dict[str, str]:
    """The header that says who calls, and when."""
    seconds = int(at.timestamp())
    return {HEADER: f"t={seconds},v1={_sign(body, secret, seconds)}"}


def read_event(callback: Callback, secret: bytes) -> PaymentEvent | None:
    """What a call says. Raises ForgedCallbackError or GarbledCallbackError."""
    time, _, sign = callback.headers.get(HEADER, "").partition(",v1=")
    seconds = time.removeprefix("t=")
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) <= len("9999999999")):
        raise ForgedCallbackError("the signature is missing or wrong")
    if not hmac.compare_digest(sign.encode(), _sign(callback.body, secret, int(seconds)).encode()):
        raise ForgedCallbackError("the signature is missing or wrong")
    if abs(callback.received_at.timestamp() - int(seconds)) > OLDEST.total_seconds():
        raise ForgedCallbackError("the call is too old")
    try:
        call = msgspec.json.decode(callback.body, type=_Call)
        if call.kind == OPENED:
            return None
        return PaymentEvent(
            event_id=call.id,
            kind=EventKind(call.kind),
            ref=PaymentRef(call.key, call.ref),
            at=call.at,
            money=Money(call.grosze, call.currency),
        )
    except (msgspec.MsgspecError, ValueError):
        raise GarbledCallbackError("this is no call of ours") from None


def now() -> datetime:
    """When a call is made: providers have clocks of their own, which nobody moves."""
    return machine_now()


def _sign(body: bytes, secret: bytes, seconds: int) -> str:
    return hmac.new(secret, f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
