"""What SendGrid's refusals mean in the words that all plugins share."""

from datetime import UTC, datetime

import msgspec

from prawko.hooks.carrier_connection import CarrierReply, unwell
from prawko.hooks.channels import DeliveryError
from prawko.hooks.failures import AccountError


class _Fault(msgspec.Struct):
    message: str = ""
    field: str | None = None


class _Refusal(msgspec.Struct):
    errors: list[_Fault] = []


def meaning(reply: CarrierReply) -> DeliveryError | AccountError:
    """The failure as the platform understands it.

    Only a fault in the recipient is the recipient's; one in the sender is our account's. Any
    other fault is in what we wrote, and nobody's address.
    """
    if reply.status == 429:
        return DeliveryError(reply.said, retry_after=_until_reset(reply))
    if (failure := unwell(reply)) is not None:
        return failure
    if reply.status == 400:
        faults = _faults(reply.body)
        if any((fault.field or "").startswith("from") for fault in faults):
            return AccountError(reply.said)
        if any(".to" in (fault.field or "") for fault in faults):
            return DeliveryError(reply.said, permanent=True)
    return DeliveryError(reply.said)


def _faults(body: bytes) -> list[_Fault]:
    try:
        return msgspec.json.decode(body, type=_Refusal).errors
    except msgspec.MsgspecError:
        return []


def _until_reset(reply: CarrierReply) -> float | None:
    """Seconds until the allowance is full again: SendGrid names the moment in Unix time."""
    moment = reply.headers.get("x-ratelimit-reset", "")
    if not (moment.isascii() and moment.isdigit()):
        return None
    return max(0.0, float(moment) - datetime.now(UTC).timestamp())
