"""Validates the rows of an import by the rules of a single driver (docs/rules.md P14a). Pure.

The columns of the fields are found by their names or by their content. Without a header they are
first name, last name, number and categories, in this order; the number is found by its form in any
column. Blanks and dashes within a number are dropped, and categories are accepted in usual
spellings: 'C, CE', 'b/c', 'C + E'.
"""

import re
from collections.abc import Collection, Mapping, Sequence

import msgspec

from prawko.drivers.errors import ImportProblem, UnreadableImportError
from prawko.drivers.needed_categories import category_name
from prawko.drivers.schemas import RowState
from prawko.drivers.table_reader import SheetRow
from prawko.drivers.validation import (
    DriverFields,
    FieldError,
    FieldProblem,
    is_field_five,
    is_licence_number,
    parse_licence_number,
    parse_name,
    parse_needed_categories,
)
from prawko.kit.text.letters import fold_letters, normalise_typed, strip_separators

FIRST_NAME = "first_name"
LAST_NAME = "last_name"
LICENCE_NUMBER = "license_number"
NEEDED_CATEGORIES = "needed_categories"

Columns = Mapping[str, int]  # a field and the index of its column
FIELDS = (FIRST_NAME, LAST_NAME, LICENCE_NUMBER, NEEDED_CATEGORIES)
_PLUS = re.compile(r"\s*\+\s*")
_BETWEEN_CODES = re.compile(r"[\s,;/|]+")
_NAMES = {
    FIRST_NAME: (
        "imie", "imiona", "imie kierowcy", "first name", "firstname", "given name", "forename",
        "name",
    ),
    LAST_NAME: (
        "nazwisko", "nazwisko kierowcy", "last name", "lastname", "surname", "family name",
    ),
    LICENCE_NUMBER: (
        "numer", "nr", "numer prawa jazdy", "nr prawa jazdy", "prawo jazdy", "numer blankietu",
        "nr blankietu", "blankiet", "numer dokumentu", "nr dokumentu", "numer pj", "nr pj",
        "number", "no", "licence number", "license number", "licence no", "license no",
        "driving licence", "driving licence number", "driving license number", "document number",
        "licencenumber", "licensenumber",
    ),
    NEEDED_CATEGORIES: (
        "kategorie", "kategoria", "kat", "potrzebne kategorie", "wymagane kategorie",
        "potrzebne kategorie opcjonalnie", "category", "categories", "needed categories",
        "required categories", "needed categories optional",
    ),
}  # fmt: skip
_FIELDS = {name: field for field, names in _NAMES.items() for name in names}
_REQUIRED = (FIRST_NAME, LAST_NAME, LICENCE_NUMBER)
_MAX_PREAMBLE_ROWS = 10
_SAMPLE_ROWS = 50


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
    columns, body = _split_header(rows)
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
    codes = filter(None, _BETWEEN_CODES.split(_PLUS.sub("+", normalise_typed(text))))
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


def _split_header(rows: Sequence[SheetRow]) -> tuple[Columns, Sequence[SheetRow]]:
    """Return the columns, and the rows below the header or all. Raises UnreadableImportError."""
    for index, row in enumerate(rows[:_MAX_PREAMBLE_ROWS]):
        columns = _match_names(row)
        if len(columns) < 2:
            continue
        if not all(field in columns for field in _REQUIRED):
            raise UnreadableImportError(ImportProblem.MISSING_COLUMNS)
        if len(rows) == index + 1:
            raise UnreadableImportError(ImportProblem.EMPTY)
        return columns, rows[index + 1 :]
    return _guess_columns(rows), rows


def _match_names(row: SheetRow) -> dict[str, int]:
    columns: dict[str, int] = {}
    for index, cell in enumerate(row.cells):
        field = _FIELDS.get(_normalise(cell))
        if field is not None:
            columns.setdefault(field, index)
    return columns


def _normalise(name: str) -> str:
    """Return the name in lower case, without accents; other characters become spaces."""
    return " ".join("".join(c if c.isalpha() else " " for c in fold_letters(name)).split())


def _guess_columns(rows: Sequence[SheetRow]) -> Columns:
    """The columns of a table without names. Raises UnreadableImportError if they are too few."""
    width = max(len(row.cells) for row in rows)
    if width < len(_REQUIRED):
        raise UnreadableImportError(ImportProblem.MISSING_COLUMNS)
    sample = rows[:_SAMPLE_ROWS]

    def count_numbers(index: int) -> int:
        return sum(
            index < len(row.cells) and is_licence_number(strip_separators(row.cells[index]))
            for row in sample
        )

    best = max(range(width), key=count_numbers)
    number = best if count_numbers(best) else len(_REQUIRED) - 1
    others = [index for index in range(width) if index != number]
    fields = (FIRST_NAME, LAST_NAME, NEEDED_CATEGORIES)
    return {**dict(zip(fields, others, strict=False)), LICENCE_NUMBER: number}
