"""Parses Przelewy24's responses and translates its errors to those of all providers."""

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import HttpResponse, error_for_status
from prawko.hooks.payments import PaymentError

T = TypeVar("T")

# A token becomes part of the URL that the payer opens.
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,100}$")]


class Przelewy24RequestError(Exception):
    """Przelewy24 refused our request as invalid: a bug of this plugin, not the payer's fault."""


class RegisteredTransaction(msgspec.Struct):
    """A transaction that was registered and can be paid."""

    token: Token


class VerificationResult(msgspec.Struct):
    """The result of verifying a payment."""

    status: str


class Transaction(msgspec.Struct, rename="camel"):
    """A transaction. `session_id` is our reference, `order_id` Przelewy24's id."""

    session_id: str
    status: int
    amount: Annotated[int, Meta(gt=0)]
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    order_id: int | None = None


class BlikCharge(msgspec.Struct, rename="camel"):
    """A payment by a BLIK code, which the payer confirms in the bank's app."""

    order_id: int


class OfflineTransfer(msgspec.Struct, rename="camel"):
    """The fields of a bank transfer."""

    order_id: int
    session_id: str
    amount: int
    statement: Annotated[str, Meta(min_length=1)]
    iban: Annotated[str, Meta(min_length=1)]
    iban_owner: str = ""
    iban_owner_address: str = ""


class RefundResult(msgspec.Struct):
    """The result of one refund of a request."""

    status: bool = False
    message: str = ""


class RefundRecord(msgspec.Struct, rename="camel"):
    """A refund. `status`: 1 completed, 2 pending, 3 awaiting acceptance, 4 rejected."""

    request_id: str = ""
    status: int = 0


class RefundList(msgspec.Struct):
    """The refunds of one transaction."""

    refunds: list[RefundRecord] = []


class AccountMethod(msgspec.Struct):
    """A payment method of the account."""

    group: str = ""
    status: bool = False


class _ErrorBody(msgspec.Struct):
    error: str | list[RefundResult] = ""


def parse_response(response: HttpResponse, kind: type[T], status: int = 200) -> T:
    """Return the data of a response with this status.

    Raises PaymentError, ProviderAccountError, or Przelewy24RequestError for a 400.
    """
    error = error_for_status(response)
    if isinstance(error, ProviderAccountError):
        raise error
    if error is not None:
        raise PaymentError(str(error), retry_after=error.retry_after)
    if response.status == 400:
        raise _request_error(response)
    if response.status != status:
        raise PaymentError(response.summary)
    try:
        envelope = msgspec.json.decode(response.body, type=dict[str, msgspec.Raw], strict=False)
        return msgspec.json.decode(envelope["data"], type=kind, strict=False)
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError):
        # Not quoted: a transaction contains personal data.
        raise PaymentError(f"the response with {status} cannot be parsed") from None


def error_message(response: HttpResponse) -> str:
    """Return Przelewy24's own error message; empty if there is none."""
    try:
        error = msgspec.json.decode(response.body, type=_ErrorBody, strict=False).error
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    if isinstance(error, str):
        return error
    return "; ".join(result.message for result in error)


def _request_error(response: HttpResponse) -> Exception:
    if "crc" in error_message(response).lower():
        return ProviderAccountError(f"our CRC key was refused: {response.summary}")
    return Przelewy24RequestError(response.summary)
