"""Validates the rows of an import by the rules of a single driver (docs/rules.md P14a). Pure.

Blanks and dashes within a number are dropped, and categories are accepted in usual spellings:
'C, CE', 'b/c', 'C + E', 'kat. C i CE'.
"""

import re
from collections.abc import Collection, Sequence

import msgspec

from prawko.drivers.needed_categories import category_name
from prawko.drivers.schemas import RowState
from prawko.drivers.table_columns import (
    FIELDS,
    FIRST_NAME,
    LAST_NAME,
    LICENCE_NUMBER,
    NEEDED_CATEGORIES,
    DriverTable,
    TableRow,
)
from prawko.drivers.validation import (
    DriverFields,
    FieldError,
    FieldProblem,
    is_field_five,
    parse_licence_number,
    parse_name,
    parse_needed_categories,
)
from prawko.kit.text.letters import normalise_typed, strip_separators

_PLUS = re.compile(r"\s*\+\s*")
_BETWEEN_CODES = re.compile(r"[\s,;/|.:&]+")
# Words of a cell that are no codes.
_WORDS = {"kat", "kategoria", "kategorie", "category", "categories", "i", "oraz", "and"}


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


def validate_rows(table: DriverTable) -> list[ImportRow]:
    """Return the rows of the table, each with its mistakes."""
    first_rows: dict[str, int] = {}
    return [_validate_row(row, table.columns, first_rows) for row in table.rows]


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
    codes = filter(None, _BETWEEN_CODES.split(_PLUS.sub("+", normalise_typed(text))))
    return parse_needed_categories(
        [category_name(code) for code in codes if code.casefold() not in _WORDS]
    )


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


def _validate_row(row: TableRow, columns: dict[str, int], first_rows: dict[str, int]) -> ImportRow:
    """Return the row; `first_rows` has the first row of each number, and gets this one's."""
    texts = dict(zip(FIELDS, row.cells, strict=True))
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
