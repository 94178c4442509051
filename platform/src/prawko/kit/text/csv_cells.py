"""Formats values as cells of a CSV file for spreadsheets.

A text that a spreadsheet would read as a formula gets an apostrophe before it, as OWASP advises
against CSV injection: at its beginning, and wherever a spreadsheet that separates by another sign
than the comma would begin a cell. The JSON files have the texts unchanged.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

BYTE_ORDER_MARK = "\ufeff"  # without it Excel misreads Polish letters
# The signs that begin a formula, as a class of a regular expression. The last four are full-width
# forms of the first four, which some spreadsheets accept.
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
# Quotes hold a cell together only where commas separate; elsewhere its line breaks end a row, too.
_SEPARATORS = ";|\t\r\n"
_FORMULA_STARTS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20") | {*_SEPARATORS}
_INNER_START = re.compile(f"([{_SEPARATORS}] *)(?=[' ]*[{_SIGNS}])")
_ESCAPED_INNER_START = re.compile(f"([{_SEPARATORS}] *)'(?=[' ]*[{_SIGNS}])")


def format_cell(value: Any) -> str:
    """Return the value as text; instants in UTC, lists flattened, empty for None."""
    if type(value) is str:  # the common case, millions of times
        return escape_formula(value)
    return _FORMATTERS.get(type(value), str)(value)


def escape_formula(text: str) -> str:
    """Return the text with an apostrophe before each part of it that looks like a formula.

    A part that begins with an apostrophe gets another one, so that `unescape_formula` returns it.
    """
    escaped = _INNER_START.sub(r"\1'", text)
    return f"'{escaped}" if text.lstrip("' ")[:1] in _FORMULA_STARTS else escaped


def unescape_formula(text: str) -> str:
    """Return the text of a cell without the apostrophes of `escape_formula`."""
    is_escaped = text[:1] == "'" and text[1:].lstrip("' ")[:1] in _FORMULA_STARTS
    return _ESCAPED_INNER_START.sub(r"\1", text[1:] if is_escaped else text)


def _flatten(item: Any) -> str:
    if isinstance(item, dict):
        return ", ".join(_flatten(part) for part in item.values() if part is not None)
    if isinstance(item, list):
        return ", ".join(_flatten(part) for part in item)
    return str(item)


_FORMATTERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "",
    bool: lambda value: "true" if value else "false",
    datetime: lambda value: str(value.astimezone(UTC).isoformat()),
    list: lambda value: escape_formula("; ".join(_flatten(item) for item in value)),
    dict: lambda value: escape_formula(_flatten(value)),
}
