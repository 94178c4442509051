"""Values as cells of a CSV file that people open in a spreadsheet.

A text that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP
advises: names and notes are other people's words. JSON beside it carries them unchanged.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

# The last four are wide forms of the first, which some spreadsheets read alike.
FORMULA = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def cell(value: Any) -> str:
    """The value as text; instants in UTC, lists flattened, nothing for None."""
    if type(value) is str:  # most are, and there are millions
        return harmless(value)
    return _SAID.get(type(value), str)(value)


def harmless(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would calculate it."""
    return f"'{text}" if text[:1] in FORMULA else text


def _flat(item: Any) -> str:
    if isinstance(item, dict):
        return ", ".join(_flat(part) for part in item.values() if part is not None)
    if isinstance(item, list):
        return ", ".join(_flat(part) for part in item)
    return str(item)


_SAID: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "",
    bool: lambda value: "true" if value else "false",
    datetime: lambda value: str(value.astimezone(UTC).isoformat()),
    list: lambda value: harmless("; ".join(_flat(item) for item in value)),
    dict: lambda value: harmless(_flat(value)),
}
