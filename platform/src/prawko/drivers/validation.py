"""Validation of a driver's name and licence number (docs/rules.md P1, P2)."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NewType

from prawko.drivers.errors import InvalidDriverDataError


class FieldProblem(StrEnum):
    """Last part of the message key: `drivers.<field>.<problem>`."""

    MISSING = "required"
    TOO_LONG = "too_long"
    INVALID_CHARACTERS = "characters"
    INVALID_FORMAT = "format"


class FieldError(ValueError):
    """A text is not valid for its field."""

    def __init__(self, problem: FieldProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


LicenceNumber = NewType("LicenceNumber", str)

# For the OpenAPI document only: in Python `$` would accept a trailing newline.
LICENCE_NUMBER_PATTERN = "^[A-Z]{2}[0-9]{6}$"
LICENCE_NUMBER_LENGTH = 8
_LICENCE_NUMBER = re.compile(r"[A-Z]{2}[0-9]{6}")


def parse_licence_number(text: str) -> LicenceNumber:
    """Return the licence number in capitals. Raises FieldError.

    Only ASCII is accepted: "ß" and the dotless i become A to Z when upper-cased, and digits of
    other scripts match as digits; the register would be queried about another document.
    """
    if not text.strip():
        raise FieldError(FieldProblem.MISSING)
    number = text.upper()
    if not (text.isascii() and _LICENCE_NUMBER.fullmatch(number)):
        raise FieldError(FieldProblem.INVALID_FORMAT)
    return LicenceNumber(number)


MAX_NAME_LENGTH = 80
# Control, format, surrogate, private, unassigned and line separator characters. A line break in a
# name could inject a mail header or a log line.
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def parse_name(text: str) -> str:
    """Return the name in Unicode NFC, trimmed and with single blanks.

    Raises FieldError when it is empty, longer than 80 characters or has invisible characters.
    """
    composed = unicodedata.normalize("NFC", text)
    if any(unicodedata.category(character) in _FORBIDDEN_CATEGORIES for character in composed):
        raise FieldError(FieldProblem.INVALID_CHARACTERS)
    name = " ".join(composed.split())
    if not name:
        raise FieldError(FieldProblem.MISSING)
    if len(name) > MAX_NAME_LENGTH:
        raise FieldError(FieldProblem.TOO_LONG)
    return name


# Field → its name in the API and its parser; in the order of the form.
_FIELDS: dict[str, tuple[str, Callable[[str], str]]] = {
    "first_name": ("firstName", parse_name),
    "last_name": ("lastName", parse_name),
    "license_number": ("licenseNumber", parse_licence_number),
}


def parse_details(values: Mapping[str, str]) -> dict[str, str]:
    """Validate and normalise the given fields; absent ones are left out.

    Raises InvalidDriverDataError with a message for each invalid field.
    """
    details: dict[str, str] = {}
    problems: dict[str, str] = {}
    for name, (api_name, parse) in _FIELDS.items():
        if name not in values:
            continue
        try:
            details[name] = parse(values[name])
        except FieldError as error:
            problems[api_name] = f"drivers.{name}.{error.problem}"
    if problems:
        raise InvalidDriverDataError(fields=problems)
    return details
