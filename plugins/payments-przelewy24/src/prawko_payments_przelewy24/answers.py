"""What Przelewy24 answers, read; and its refusals in the words that all plugins share."""

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from prawko.hooks.carrier_connection import CarrierReply, unwell
from prawko.hooks.channels import DeliveryError
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import PaymentError

T = TypeVar("T")

# A token goes into the address that the payer's browser opens.
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,100}$")]


class RejectedRequestError(Exception):
    """Przelewy24 cannot make sense of what we sent: a mistake of ours, and nobody's fault."""


class Registered(msgspec.Struct):
    """A transaction that waits for its payer."""

    token: Token


class Verified(msgspec.Struct):
    """The answer to our word that a payment is what we expected."""

    status: str


class Transaction(msgspec.Struct, rename="camel"):
    """A transaction by our own key. `order_id` is Przelewy24's."""

    session_id: str
    status: int
    amount: Annotated[int, Meta(gt=0)]
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    order_id: int | None = None


class Charged(msgspec.Struct, rename="camel"):
    """A BLIK code that was taken: the payer's bank now asks for consent."""

    order_id: int


class Offline(msgspec.Struct, rename="camel"):
    """What a payer must write into a transfer."""

    order_id: int
    session_id: str
    amount: int
    statement: Annotated[str, Meta(min_length=1)]
    iban: Annotated[str, Meta(min_length=1)]
    iban_owner: str = ""
    iban_owner_address: str = ""


class Given(msgspec.Struct):
    """What became of one refund of a request."""

    status: bool = False
    message: str = ""


class Back(msgspec.Struct, rename="camel"):
    """A refund as it is kept: 1 completed, 2 pending, 3 awaiting acceptance, 4 rejected."""

    request_id: str = ""
    status: int = 0


class Backs(msgspec.Struct):
    """The refunds of one transaction."""

    refunds: list[Back] = []


class OfferedMethod(msgspec.Struct):
    """One way to pay that the account has."""

    group: str = ""
    status: bool = False


class _Refusal(msgspec.Struct):
    error: str | list[Given] = ""


def read(reply: CarrierReply, kind: type[T], status: int = 200) -> T:
    """The data of an answer that has this status.

    Raises PaymentError, AccountError, or RejectedRequestError for a 400.
    """
    if (failure := unwell(reply)) is not None:
        if isinstance(failure, DeliveryError):
            raise PaymentError(str(failure), retry_after=failure.retry_after)
        raise failure
    if reply.status == 400:
        raise _rejected(reply)
    if reply.status != status:
        raise PaymentError(reply.said)
    try:
        envelope = msgspec.json.decode(reply.body, type=dict[str, msgspec.Raw], strict=False)
        return msgspec.json.decode(envelope["data"], type=kind, strict=False)
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError):
        # Unquoted: a transaction names its payer.
        raise PaymentError(f"the answer with {status} cannot be read") from None


def refusal(reply: CarrierReply) -> str:
    """Why something was refused, in Przelewy24's words; empty where there are none."""
    try:
        error = msgspec.json.decode(reply.body, type=_Refusal, strict=False).error
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    if isinstance(error, str):
        return error
    return "; ".join(given.message for given in error)


def _rejected(reply: CarrierReply) -> Exception:
    words = refusal(reply)
    if "crc" in words.lower():
        return AccountError(f"our CRC key was refused: {reply.said}")
    return RejectedRequestError(reply.said)
