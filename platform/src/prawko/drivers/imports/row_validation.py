"""Validates the rows of an import by the rules of a single driver (docs/rules.md P14a). Pure.

The rules are those of the form. Blanks and dashes within a number are dropped, and categories are
accepted in usual spellings: 'C, CE', 'b/c', 'C + E'.
"""

import re
from collections.abc import Collection, Sequence
from enum import StrEnum

import msgspec

from prawko.drivers.imports.header import (
    FIRST_NAME,
    LAST_NAME,
    LICENCE_NUMBER,
    NEEDED_CATEGORIES,
    Columns,
    split_header,
)
from prawko.drivers.imports.text_reader import SheetRow
from prawko.drivers.needed_categories import category_name
from prawko.drivers.validation import (
    DriverFields,
    FieldError,
    FieldProblem,
    is_field_five,
    parse_licence_number,
    parse_name,
    parse_needed_categories,
    strip_separators,
)

FIELDS = (FIRST_NAME, LAST_NAME, LICENCE_NUMBER, NEEDED_CATEGORIES)
_PLUS = re.compile(r"\s*\+\s*")
_BETWEEN_CODES = re.compile(r"[\s,;/|]+")


class RowState(StrEnum):
    """Whether a row can be added."""

    READY = "ready"
    INVALID = "invalid"
    REPEATED = "repeated"  # an earlier row has the number
    EXISTING = "existing"  # a driver of the company has it


class RowProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake: the column from one, 0 if the table has none, and the key of its sentence."""

    field: str
    column: int
    text: str
    row: int = 0  # of the row that has the same number


class ImportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row as it would be added; what cannot be parsed is as it was written."""

    number: int
    state: RowState
    texts: dict[str, str]
    details: DriverFields
    number_column: int
    problems: tuple[RowProblem, ...]


def validate_rows(rows: Sequence[SheetRow]) -> list[ImportRow]:
    """Return the rows below the header, each with its mistakes. Raises UnreadableImportError."""
    columns, body = split_header(rows)
    first_rows: dict[str, int] = {}
    return [_validate_row(row, columns, first_rows) for row in body]


def mark_existing(rows: Sequence[ImportRow], numbers: Collection[str]) -> list[ImportRow]:
    """Return the rows, with a mistake at each whose number a driver of the company has."""
    return [
        _with_taken_number(row, RowState.EXISTING)
        if row.details.get(LICENCE_NUMBER) in numbers
        else row
        for row in rows
    ]


def parse_categories(text: str) -> list[str]:
    """Return the categories of a cell. Raises FieldError."""
    codes = filter(None, _BETWEEN_CODES.split(_PLUS.sub("+", text)))
    return parse_needed_categories([category_name(code) for code in codes])


def _parse_number(text: str) -> str:
    if is_field_five(text):
        raise FieldError(FieldProblem.FIELD_FIVE)
    return parse_licence_number(strip_separators(text))


_PARSERS = {
    FIRST_NAME: parse_name,
    LAST_NAME: parse_name,
    LICENCE_NUMBER: _parse_number,
    NEEDED_CATEGORIES: parse_categories,
}


def _validate_row(row: SheetRow, columns: Columns, first_rows: dict[str, int]) -> ImportRow:
    """Return the row; `first_rows` has the first row of each number, and gets this one's."""
    texts = {field: _cell(row, columns.get(field)) for field in FIELDS}
    details: DriverFields = {}
    problems = []
    for field, text in texts.items():
        try:
            details[field] = _PARSERS[field](text)
        except FieldError as error:
            table = "import_row" if field == NEEDED_CATEGORIES else field
            key = f"drivers.{table}.{error.problem}"
            problems.append(RowProblem(field=field, column=columns.get(field, -1) + 1, text=key))
    found = ImportRow(
        number=row.number,
        state=RowState.INVALID if problems else RowState.READY,
        texts=texts,
        details=details,
        number_column=columns[LICENCE_NUMBER] + 1,
        problems=tuple(problems),
    )
    number = details.get(LICENCE_NUMBER)
    if number is None:
        return found
    first = first_rows.setdefault(number, row.number)
    return found if first == row.number else _with_taken_number(found, RowState.REPEATED, first)


def _with_taken_number(row: ImportRow, state: RowState, other_row: int = 0) -> ImportRow:
    problem = RowProblem(
        field=LICENCE_NUMBER,
        column=row.number_column,
        text=f"drivers.import_row.{state}",
        row=other_row,
    )
    state = state if row.state is RowState.READY else row.state
    return msgspec.structs.replace(row, state=state, problems=(*row.problems, problem))


def _cell(row: SheetRow, index: int | None) -> str:
    return "" if index is None or index >= len(row.cells) else row.cells[index]
