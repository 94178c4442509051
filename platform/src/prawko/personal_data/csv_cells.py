"""Formats values as cells of a CSV file for spreadsheets.

A text that a spreadsheet would take for a formula is prefixed with an apostrophe, as OWASP
advises against CSV injection. The JSON files have the texts unchanged.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

# The last four are full-width forms of the first four, which some spreadsheets accept.
FORMULA_PREFIXES = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def format_cell(value: Any) -> str:
    """Return the value as text; instants in UTC, lists flattened, empty for None."""
    if type(value) is str:  # the common case, millions of times
        return escape_formula(value)
    return _FORMATTERS.get(type(value), str)(value)


def escape_formula(text: str) -> str:
    """Return the text, prefixed with an apostrophe if it looks like a formula."""
    return f"'{text}" if text[:1] in FORMULA_PREFIXES else text


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
