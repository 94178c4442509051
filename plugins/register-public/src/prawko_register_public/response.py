"""Parses the service's responses: a document (200) or a list of errors (400)."""

import json
from typing import Any, NoReturn

import msgspec

from prawko.hooks.http_client import HttpResponse
from prawko.hooks.licence_document import parse_document
from prawko.hooks.licence_register import LicenceAnswer, RegisterError, RegisterErrorKind

_NO_DATA = "DICT501_UKG_1"


class _ErrorItem(msgspec.Struct):
    code: str


class _ErrorList(msgspec.Struct):
    errors: list[_ErrorItem]


def parse_response(response: HttpResponse, *, expected_number: str) -> LicenceAnswer | None:
    """Parse a response; None only if the service says that it has no data.

    Raises RegisterError: INVALID_RESPONSE for anything but a document, INVALID_QUERY for any
    other 400.
    """
    if response.status == 400:
        _raise_unless_no_data(response)
        return None
    return parse_document(_parse_json(response), expected_number=expected_number)


def _raise_invalid(reason: str) -> NoReturn:
    raise RegisterError(RegisterErrorKind.INVALID_RESPONSE, reason) from None


def _parse_json(response: HttpResponse) -> object:
    if response.media_type == "text/html":
        _raise_invalid("the response is a page")
    try:
        content: object = json.loads(response.body, object_pairs_hook=_reject_duplicate_keys)
    except (ValueError, RecursionError):
        _raise_invalid("the response is not JSON")
    return content


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raise ValueError for an object with a repeated key: which value counts is ambiguous."""
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key is repeated")
    return values


def _raise_unless_no_data(response: HttpResponse) -> None:
    try:
        content = msgspec.convert(_parse_json(response), _ErrorList)
    except (msgspec.ValidationError, RegisterError):
        raise RegisterError(RegisterErrorKind.INVALID_QUERY, "the register answered 400") from None
    codes = {error.code for error in content.errors}
    if codes != {_NO_DATA}:
        named = ", ".join(sorted(code[:40] for code in codes)) or "none named"
        raise RegisterError(RegisterErrorKind.INVALID_QUERY, f"the register's errors: {named}")
