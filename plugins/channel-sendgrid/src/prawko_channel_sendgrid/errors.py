"""Translates SendGrid's error responses to the errors that all channels share."""

from datetime import UTC, datetime

import msgspec

from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import HttpResponse, error_for_status


class _ErrorItem(msgspec.Struct):
    message: str = ""
    field: str | None = None


class _ErrorBody(msgspec.Struct):
    errors: list[_ErrorItem] = []


def error_for_response(response: HttpResponse) -> DeliveryError | ProviderAccountError:
    """Return the error of a response that is not a success.

    An error in the recipient's field is permanent; one in the sender's is about our account.
    Any other is about our request, and no address is at fault.
    """
    if response.status == 429:
        return DeliveryError(response.summary, retry_after=_seconds_until_reset(response))
    error = error_for_status(response)
    if isinstance(error, ProviderAccountError):
        return error
    if error is not None:
        return DeliveryError(str(error), retry_after=error.retry_after)
    if response.status == 400:
        fields = [item.field or "" for item in _parse_errors(response.body)]
        if any(field.startswith("from") for field in fields):
            return ProviderAccountError(response.summary)
        if any(".to" in field for field in fields):
            return DeliveryError(response.summary, permanent=True)
    return DeliveryError(response.summary)


def _parse_errors(body: bytes) -> list[_ErrorItem]:
    try:
        return msgspec.json.decode(body, type=_ErrorBody).errors
    except msgspec.MsgspecError:
        return []


def _seconds_until_reset(response: HttpResponse) -> float | None:
    """Return the seconds until the quota is renewed, which SendGrid names in Unix time."""
    instant = response.headers.get("x-ratelimit-reset", "")
    if not (instant.isascii() and instant.isdigit()):
        return None
    return max(0.0, float(instant) - datetime.now(UTC).timestamp())
