"""Reads the service's answer: a document (200), or a list of errors (400)."""

import json
from typing import Any, NoReturn

import msgspec

from prawko.hooks.licence_document import read_document
from prawko.hooks.licence_register import LicenceAnswer, RegisterError, RegisterTrouble
from prawko.hooks.register_connection import Reply

_NO_DATA = "DICT501_UKG_1"


class _Refusal(msgspec.Struct):
    code: str


class _Refusals(msgspec.Struct):
    errors: list[_Refusal]


def read_answer(reply: Reply, *, asked: str) -> LicenceAnswer | None:
    """Read a reply; None when the service says it has no data, and nothing else.

    Raises RegisterError: garbage for what is no document, refused for any other 400.
    """
    if reply.status == 400:
        _refuse_errors(reply)  # comes back for "no data" only
        return None
    return read_document(_json(reply), asked=asked)


def _garbage(reason: str) -> NoReturn:
    raise RegisterError(RegisterTrouble.GARBAGE, reason) from None


def _json(reply: Reply) -> object:
    if reply.media_type == "text/html":
        _garbage("the answer is a page")
    try:
        answer: object = json.loads(reply.body, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        _garbage("the answer is no JSON")
    return answer


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that says one thing twice: nobody can tell which of them counts."""
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a name stands there twice")
    return read


def _refuse_errors(reply: Reply) -> None:
    try:
        refusals = msgspec.convert(_json(reply), _Refusals)
    except (msgspec.ValidationError, RegisterError):
        raise RegisterError(RegisterTrouble.REFUSED, "the register said 400") from None
    codes = {error.code for error in refusals.errors}
    if codes != {_NO_DATA}:
        said = ", ".join(sorted(code[:40] for code in codes)) or "none named"
        raise RegisterError(RegisterTrouble.REFUSED, f"the register's errors: {said}")
