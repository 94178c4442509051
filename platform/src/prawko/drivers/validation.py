"""Validation of a driver's fields and of notes (docs/rules.md P1, P2), and the sort key of names.

A sort key orders names by the Polish alphabet and is compared byte by byte. PostgreSQL's Polish
collation depends on the installed libraries and changes with them; this order is stored with the
driver. A key is opaque and only meant to be compared.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NewType

from prawko.drivers.errors import InvalidAcknowledgementError, InvalidDriverDataError
from prawko.drivers.needed_categories import normalise_categories
from prawko.kit.text.plain_text import compose_text, is_far_too_long, to_single_line


class FieldProblem(StrEnum):
    """Last part of the message key: `drivers.<field>.<problem>`."""

    MISSING = "required"
    TOO_LONG = "too_long"
    INVALID_CHARACTERS = "characters"
    INVALID_FORMAT = "format"
    FIELD_FIVE = "field_five"
    UNKNOWN = "unknown"


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
_SEPARATORS = re.compile(r"[\s\u00ad\u200b\-\u2010-\u2015]+")
_FIELD_FIVE = re.compile(r"[0-9]{5}|[0-9]+/")


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


def is_licence_number(text: str) -> bool:
    """Whether the text is a licence number, in capitals or not."""
    return text.isascii() and _LICENCE_NUMBER.fullmatch(text.upper()) is not None


def strip_separators(text: str) -> str:
    """Return the text without the blanks and dashes that people write into numbers."""
    return _SEPARATORS.sub("", text)


def is_field_five(text: str) -> bool:
    """Whether the text is of the form of field 5, '00123/15/1465', instead of the blank's number.

    Field 5 is in front; the register is asked by the number of the blank, on the back.
    """
    return _FIELD_FIVE.match(strip_separators(text)) is not None


MAX_NAME_LENGTH = 80
# Letters and marks of any script, and the signs between them: no characters with another meaning in
# a mail header, a log line, a spreadsheet or a firewall before the register.
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo"})
_MARKS = frozenset({"Mn", "Mc"})
_BLANKS = frozenset({"Zs"})
_PUNCTUATION = frozenset("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}'\N{RIGHT SINGLE QUOTATION MARK}.")


def parse_name(text: str) -> str:
    """Return the name in Unicode NFC, trimmed and with single blanks.

    Raises FieldError when it is empty, longer than 80 characters, has no letter, or anything but
    letters, marks, blanks, hyphens, apostrophes and full stops.
    """
    if is_far_too_long(text, MAX_NAME_LENGTH):
        raise FieldError(FieldProblem.TOO_LONG)
    composed = compose_text(text)
    categories = [unicodedata.category(character) for character in composed]
    allowed = _LETTERS | _MARKS | _BLANKS
    if any(
        category not in allowed and character not in _PUNCTUATION
        for character, category in zip(composed, categories, strict=True)
    ):
        raise FieldError(FieldProblem.INVALID_CHARACTERS)
    name = " ".join(composed.split())
    if not name:
        raise FieldError(FieldProblem.MISSING)
    if _LETTERS.isdisjoint(categories):
        raise FieldError(FieldProblem.INVALID_CHARACTERS)
    if len(name) > MAX_NAME_LENGTH:
        raise FieldError(FieldProblem.TOO_LONG)
    return name


MAX_NOTE_LENGTH = 200


def parse_note(text: str) -> str:
    """Return the note of an acknowledgement on one line. Raises InvalidAcknowledgementError."""
    if is_far_too_long(text, MAX_NOTE_LENGTH):
        raise InvalidAcknowledgementError(fields={"note": "drivers.note.too_long"})
    note = to_single_line(compose_text(text))
    if not note:
        raise InvalidAcknowledgementError(fields={"note": "drivers.note.required"})
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


ALPHABET = "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"
_WEIGHTS = {letter: chr(ord("0") + rank) for rank, letter in enumerate("0123456789" + ALPHABET)}
# Letters without a Unicode decomposition that readers treat as base letters.
_EXPANSIONS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "þ": "th",
    "\u0131": "i",
}  # fmt: skip
_NAME_SEPARATOR = " "  # sorts before every digit and letter: Kos before Kosa


def sort_key(first_name: str, last_name: str) -> str:
    """Sort key of a driver: by last name, then first name.

    Compares letters in the order of the Polish alphabet; other Latin letters sort as their base
    letter, other scripts last; case, hyphens and blanks are ignored. Names that are still equal
    are ordered by their exact spelling, so the order is stable.
    """
    letters = _NAME_SEPARATOR.join((_name_weights(last_name), _name_weights(first_name)))
    return _NAME_SEPARATOR.join((letters, last_name, first_name))


def _name_weights(name: str) -> str:
    return "".join(
        weight
        for character in unicodedata.normalize("NFC", name.lower())
        for weight in _character_weights(character)
    )


def _character_weights(character: str) -> str:
    if character in _WEIGHTS:
        return _WEIGHTS[character]
    base = _EXPANSIONS.get(character) or unicodedata.normalize("NFD", character)
    return "".join(_WEIGHTS.get(c, c if c > "\x7f" else "") for c in base if c.isalnum())
