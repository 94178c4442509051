"""Translates SMSAPI's results and errors to the errors that all channels share.

SMSAPI answers 200 to nearly everything, and its client takes a 200 without JSON for an empty
result; so only a result of exactly one message with an id is a success.
"""

import msgspec
from smsapi.exception import EndpointException, SendException
from smsapi.models import ResultCollection

from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError

DUPLICATE_INDEX = 53
INVALID_NUMBER = frozenset({13, 33})
# A refused login, no credits, a blocked IP address, a disabled service; and errors in the account's
# settings: a sender that is not registered (14), a report URL that is not allowed (70).
ACCOUNT_ERRORS = frozenset({14, 70, 101, 102, 103, 105, 110, 1000, 1001})
ACCOUNT_STATUSES = frozenset({401, 402, 403, 407})
MAX_REFERENCE_LENGTH = 200
MAX_QUOTED_LENGTH = 200


class _ErrorBody(msgspec.Struct):
    error: int | str | None = None
    message: str = ""


def parse_result(result: ResultCollection) -> str | None:
    """Return the id of the message; None if SMSAPI had accepted it before.

    Raises DeliveryError or ProviderAccountError.
    """
    messages = list(result.results)
    for message in messages:
        if (code := _to_code(message.error)) is not None:
            _raise_unless_duplicate(code, "")
            return None
    if len(messages) != 1 or not isinstance(messages[0].id, str) or not messages[0].id:
        raise DeliveryError(f"the response names {len(messages)} messages, not one")
    return str(messages[0].id)[:MAX_REFERENCE_LENGTH]


def parse_points(points: object) -> float:
    """Return an account's credit. Raises DeliveryError; ProviderAccountError if none is left."""
    try:
        credit = msgspec.convert(points, float, strict=False)
    except msgspec.ValidationError:
        raise DeliveryError("the response names no credit") from None
    if credit <= 0:
        raise ProviderAccountError("the account has no points left")
    return credit


def raise_for_error(error: EndpointException) -> None:
    """Raise DeliveryError or ProviderAccountError, unless SMSAPI had the message before."""
    text = " ".join(str(error.message or "").split())[:MAX_QUOTED_LENGTH]
    if isinstance(error, SendException):
        code = _to_code(error.code)
        if code is None:
            raise DeliveryError(f"the server answered {text}".rstrip())
        _raise_unless_duplicate(code, text)
        return
    body = _decode(error.message)  # an HTTP error may contain an error code as well
    if (code := _to_code(body.error)) is not None:
        _raise_unless_duplicate(code, body.message)
        return
    summary = f"the server answered {error.code} {text}".rstrip()
    if error.code in ACCOUNT_STATUSES:
        raise ProviderAccountError(summary)
    raise DeliveryError(summary)


def _raise_unless_duplicate(code: int, text: str) -> None:
    if code == DUPLICATE_INDEX:
        return
    summary = f"the server answered {code} {text}".rstrip()
    if code in ACCOUNT_ERRORS:
        raise ProviderAccountError(summary)
    raise DeliveryError(summary, permanent=code in INVALID_NUMBER)


def _decode(body: object) -> _ErrorBody:
    try:
        return msgspec.json.decode(str(body), type=_ErrorBody, strict=False)
    except msgspec.MsgspecError:
        return _ErrorBody()


def _to_code(error: object) -> int | None:
    """Return the number of an error; None if there is none or it is a word."""
    return int(str(error)) or None if error and str(error).isdecimal() else None
