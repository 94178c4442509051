"""Validation of a driver's fields and of notes (docs/rules.md P1, P2), and the sort key of names.

A sort key is stored with the driver, opaque, and only meant to be compared, byte by byte.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NewType

from prawko.drivers.errors import InvalidAcknowledgementError, InvalidDriverDataError
from prawko.drivers.needed_categories import normalise_categories
from prawko.kit.text.letters import (
    find_foreign_letter,
    is_drawable,
    normalise_line,
    normalise_typed,
    order_letters,
    strip_separators,
)
from prawko.kit.text.plain_text import is_far_too_long


class FieldProblem(StrEnum):
    """Last part of the message key: `drivers.<field>.<problem>`."""

    MISSING = "required"
    TOO_LONG = "too_long"
    INVALID_CHARACTERS = "characters"
    OTHER_SCRIPT = "script"
    MIXED_SCRIPTS = "mixed"
    INVALID_FORMAT = "format"
    FIELD_FIVE = "field_five"
    UNKNOWN = "unknown"


class FieldError(ValueError):
    """A text is not valid for its field, because of a `letter` if it mixes scripts."""

    def __init__(self, problem: FieldProblem, letter: str = "") -> None:
        super().__init__(problem.value)
        self.problem = problem
        self.letter = letter


LicenceNumber = NewType("LicenceNumber", str)

# For the OpenAPI document only: in Python `$` would accept a trailing newline.
LICENCE_NUMBER_PATTERN = "^[A-Z]{2}[0-9]{6}$"
LICENCE_NUMBER_LENGTH = 8
_LICENCE_NUMBER = re.compile(r"[A-Z]{2}[0-9]{6}")
_FIELD_FIVE = re.compile(r"(?![0-9]{6}$)[0-9]{5}|[0-9]+/")  # six digits lack their series


def parse_licence_number(text: str) -> LicenceNumber:
    """Return the licence number in capitals. Raises FieldError.

    Only ASCII is accepted: "ß" and the dotless i become A to Z when upper-cased, and digits of
    other scripts match as digits; the register would be queried about another document.
    """
    typed = normalise_typed(text)
    if not typed.strip():
        raise FieldError(FieldProblem.MISSING)
    if not is_licence_number(typed):
        raise FieldError(FieldProblem.INVALID_FORMAT)
    return LicenceNumber(typed.upper())


def is_licence_number(text: str) -> bool:
    """Whether the text is a licence number, in capitals or not."""
    return text.isascii() and _LICENCE_NUMBER.fullmatch(text.upper()) is not None


def is_field_five(text: str) -> bool:
    """Whether the text is of the form of field 5, '00123/15/1465', instead of the blank's number.

    Field 5 is in front; the register is asked by the number of the blank, on the back.
    """
    return _FIELD_FIVE.match(strip_separators(text)) is not None


MAX_NAME_LENGTH = 80
_MARKS = frozenset({"Mn", "Mc"})
_PUNCTUATION = frozenset(" -'.")
_HYPHENS = re.compile("[ -]*-[ -]*")


def join_hyphens(text: str) -> str:
    """Return the name as `normalise_typed` returns it, with single hyphens without blanks."""
    return _HYPHENS.sub("-", normalise_typed(text))


def normalise_name(text: str) -> str:
    """Return the name as `join_hyphens` returns it, with hyphens within it alone."""
    return join_hyphens(text).strip("-")


def parse_name(text: str) -> str:
    """Return the name as `normalise_name` returns it.

    Raises FieldError when it is empty, longer than 80 characters, has no letter, anything but
    letters, marks, blanks, hyphens, apostrophes and full stops, letters that documents cannot
    show, or a word of two scripts. No other sign has a meaning in a mail header, a log line, a
    spreadsheet or a firewall before the register.
    """
    if is_far_too_long(text, MAX_NAME_LENGTH):
        raise FieldError(FieldProblem.TOO_LONG)
    name = normalise_name(text)
    if not name:
        raise FieldError(FieldProblem.MISSING)
    others = {c for c in name if not (c.isalpha() or unicodedata.category(c) in _MARKS)}
    if not others <= _PUNCTUATION or not any(map(str.isalpha, name)):
        raise FieldError(FieldProblem.INVALID_CHARACTERS)
    if not is_drawable(name):
        raise FieldError(FieldProblem.OTHER_SCRIPT)
    if len(name) > MAX_NAME_LENGTH:
        raise FieldError(FieldProblem.TOO_LONG)
    if letter := find_foreign_letter(name):
        raise FieldError(FieldProblem.MIXED_SCRIPTS, letter)
    return name


MAX_NOTE_LENGTH = 200


def parse_note(text: str) -> str:
    """Return the note of an acknowledgement on one line, which may be empty.

    Raises InvalidAcknowledgementError.
    """
    if is_far_too_long(text, MAX_NOTE_LENGTH):
        raise InvalidAcknowledgementError(fields={"note": "drivers.note.too_long"})
    note = normalise_line(text)
    if len(note) > MAX_NOTE_LENGTH:
        raise InvalidAcknowledgementError(fields={"note": "drivers.note.too_long"})
    return note


def parse_needed_categories(codes: list[str]) -> list[str]:
    """Return the categories once each, in the order of the law. Raises FieldError."""
    categories = normalise_categories(codes)
    if categories is None:
        raise FieldError(FieldProblem.UNKNOWN)
    return categories


DriverFields = dict[str, Any]  # texts, and the list of needed categories

# Field → its name in the API and its parser; in the order of the form.
_FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "first_name": ("firstName", parse_name),
    "last_name": ("lastName", parse_name),
    "license_number": ("licenseNumber", parse_licence_number),
    "needed_categories": ("neededCategories", parse_needed_categories),
}


def parse_details(values: Mapping[str, Any]) -> DriverFields:
    """Validate and normalise the given fields; absent ones are left out.

    Raises InvalidDriverDataError with a message for each invalid field.
    """
    details: DriverFields = {}
    problems: dict[str, str] = {}
    letters: dict[str, Any] = {}
    for name, (api_name, parse) in _FIELDS.items():
        if name not in values:
            continue
        try:
            details[name] = parse(values[name])
        except FieldError as error:
            problems[api_name] = f"drivers.{name}.{error.problem}"
            letters[f"{name}_letter"] = error.letter
    if problems:
        raise InvalidDriverDataError(fields=problems, **letters)
    return details


_NAME_SEPARATOR = " "  # sorts before every digit and letter: Kos before Kosa


def sort_key(first_name: str, last_name: str) -> str:
    """Sort key of a driver: by last name, then first name, in the order of `order_letters`.

    Names that are equal in it are ordered by their exact spelling, so the order is stable.
    """
    letters = _NAME_SEPARATOR.join((order_letters(last_name), order_letters(first_name)))
    return _NAME_SEPARATOR.join((letters, last_name, first_name))
