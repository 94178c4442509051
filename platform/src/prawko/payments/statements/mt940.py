"""Parses MT940 as Polish banks write it. Pure.

By hand: the package mt-940 logs the lines it cannot read, opens files that the text names, knows
no line numbers and none of the `:86:` of Polish banks; what is left is one regular expression.
"""

import re
from collections.abc import Iterator
from datetime import date

import msgspec

from prawko.payments.errors import (
    MAX_ENTRIES,
    StatementProblem,
    UnreadableStatementError,
)
from prawko.payments.statements.entries import MAX_RAW_LENGTH, StatementEntry, create_entry

_FIELD = re.compile(r":(\d{2}[A-Z]?|NS):(.*)", re.ASCII)
_HEADER = re.compile(r"^\{1:[^\r\n]*\{4:", re.ASCII)
_BALANCE = re.compile(r"[CD]\d{6}([A-Z]{3})\d", re.ASCII)
# Value date, entry date, mark (RC and RD are reversals), the currency's third letter, amount.
_ENTRY = re.compile(
    r"(?P<value>\d{6})(?P<entry>\d{4})?(?P<mark>R?[CD])[A-Z]?\s?"
    r"(?P<whole>\d{1,15}),(?P<fraction>\d{0,2})(?P<rest>.*)",
    re.ASCII,
)
# Sub-fields of :86: start with one of these and two digits; 20 to 26 are the title.
_SEPARATORS = "~<^?"
_SUBFIELD = re.compile(r"(?P<separator>[~<^?])00|^\d{3}(?P<plain>[~<^?])\d{2}", re.ASCII)
_FILLERS = str.maketrans("", "", "\u02d9\u00ff\u00a0")  # byte 255 stands for an empty sub-field
_TITLE_CODES = tuple(f"{code}" for code in range(20, 27))
_PAYER_CODES = ("32", "33")
_OTHER_PAYER_CODES = ("27", "28", "29")
_FREE_PAYER = re.compile(r"(?:^|[;\n])[ \t]*OD:[ \t]*([^;\n]+)", re.IGNORECASE)
_MAX_DAYS_APART = 183
_MAX_LINES = 20 * MAX_ENTRIES


class _Field(msgspec.Struct):
    tag: str
    line: int
    lines: list[str]


def is_mt940(text: str) -> bool:
    """Whether a text has the fields of a statement message."""
    return re.search(r"^(?:\{1:.*\{4:)?:20:", text, re.MULTILINE) is not None and ":61:" in text


def parse_mt940(text: str) -> tuple[StatementEntry, ...]:
    """Return the entries of all statements in a text. Raises UnreadableStatementError."""
    entries: list[StatementEntry] = []
    fields = list(_split_fields(text))
    currency = ""
    for index, field in enumerate(fields):
        if field.tag in {"60F", "60M"}:
            balance = _BALANCE.match(field.lines[0])
            currency = balance[1] if balance else ""
        elif field.tag == "61":
            details = _details_after(fields, index)
            entries.append(_parse_entry(field, details, currency))
            if len(entries) > MAX_ENTRIES:
                raise UnreadableStatementError(StatementProblem.TOO_MANY_ENTRIES)
    return tuple(entries)


def _split_fields(text: str) -> Iterator[_Field]:
    field = None
    for number, raw in enumerate(text.splitlines(), start=1):
        if not raw or raw.isspace():
            continue
        if number > _MAX_LINES:
            raise UnreadableStatementError(StatementProblem.TOO_MANY_ENTRIES)
        line = _HEADER.sub("", raw)
        match = _FIELD.match(line)
        if match:
            if field is not None:
                yield field
            field = _Field(match[1], number, [match[2]])
        elif field is not None and line.strip() not in {"-", "-}"}:
            field.lines.append(line)
    if field is not None:
        yield field


def _details_after(fields: list[_Field], index: int) -> str:
    """Return the text of the :86: fields that follow a :61: field; some banks send two."""
    parts: list[str] = []
    while (index := index + 1) < len(fields) and fields[index].tag == "86":
        parts += fields[index].lines
    return "\n".join(parts)[:MAX_RAW_LENGTH]


def _parse_entry(field: _Field, details: str, currency: str) -> StatementEntry:
    match = _ENTRY.match(field.lines[0])
    if match is None:
        raise UnreadableStatementError(StatementProblem.INVALID_ENTRY, line=field.line)
    grosze = int(match["whole"]) * 100 + int((match["fraction"] + "00")[:2])
    payer, title = _parse_details(details)
    return create_entry(
        line=field.line,
        booked_on=_booking_date(match["value"], match["entry"], field.line),
        grosze=grosze if match["mark"] in {"C", "RD"} else -grosze,
        currency=currency,
        payer=payer,
        title=title,
        bank_id=match["rest"].partition("//")[2].strip(),
    )


def _booking_date(value: str, entry: str | None, line: int) -> date:
    """Return the entry date, in the year in which it is near the value date."""
    try:
        value_date = date(2000 + int(value[:2]), int(value[2:4]), int(value[4:]))
        if entry is None:
            return value_date
        for year in (value_date.year, value_date.year - 1, value_date.year + 1):
            month, day = int(entry[:2]), int(entry[2:])
            is_leap_day = (month, day) == (2, 29)
            if is_leap_day and (year % 4 or (year % 100 == 0 and year % 400)):
                continue
            booked_on = date(year, month, day)
            if abs((booked_on - value_date).days) <= _MAX_DAYS_APART:
                return booked_on
    except ValueError:
        pass
    raise UnreadableStatementError(StatementProblem.INVALID_DATE, line=line)


def _parse_details(details: str) -> tuple[str, str]:
    """Return payer and title. Words run on from one sub-field to the next: banks cut them."""
    text = details.translate(_FILLERS)
    match = _SUBFIELD.search(text)
    if match is None:
        free_payer = _FREE_PAYER.search(text)
        return (free_payer[1] if free_payer else ""), text
    separator = match["separator"] or match["plain"]
    compact = text.replace("\r", "").replace("\n", "")
    values: dict[str, str] = {}
    for part in compact.split(separator)[1:]:
        if part[:2].isdigit():
            values[part[:2]] = values.get(part[:2], "") + part[2:]
    title = "".join(values.get(code, "") for code in _TITLE_CODES)
    payer = "".join(values.get(code, "") for code in _PAYER_CODES)
    return payer.strip() or " ".join(values.get(code, "") for code in _OTHER_PAYER_CODES), title
