"""Validates the rows of an import by the rules of a single driver (docs/rules.md P14a). Pure.

Blanks and dashes within a number are dropped, and categories are accepted in usual spellings:
'C, CE', 'b/c', 'C + E', 'kat. C i CE'.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

import msgspec

from prawko.drivers.errors import InvalidImportError
from prawko.drivers.import_schemas import RowState
from prawko.drivers.needed_categories import category_name
from prawko.drivers.table_columns import (
    BOTH_NAMES,
    FIELDS,
    FIELDS_OF_NAMES,
    FIRST_NAME,
    LAST_NAME,
    LAST_NAME_FIRST,
    LICENCE_NUMBER,
    NEEDED_CATEGORIES,
    DriverTable,
    TableRow,
    list_columns,
    normalise_heading,
)
from prawko.drivers.validation import (
    DriverFields,
    FieldError,
    FieldProblem,
    is_field_five,
    normalise_name,
    parse_licence_number,
    parse_name,
    parse_needed_categories,
)
from prawko.kit.text.letters import is_given_name, normalise_typed, strip_separators

_SUM = re.compile(
    r"(razem|suma|ogolem|lacznie|podsumowanie|total|sum|summe|gesamt|разом|всього|итого)"
    r"( (kierowcow|kierowcy|osob|pracownikow|drivers|people))?"
)
_MAX_SUM = 60  # characters of its row
_PLUS = re.compile(r"\s*\+\s*")
_BETWEEN_CODES = re.compile(r"[\s,;/|.:&]+")
ADDABLE = frozenset({RowState.READY, RowState.DOUBTFUL})
# Words of a cell that are no codes.
_WORDS = {"kat", "kategoria", "kategorie", "category", "categories", "i", "oraz", "and", "-"}


class RowProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake: the column from one, 0 if the table has none, and the key of its sentence."""

    field: str
    column: int
    text: str
    row: int = 0  # of the row that has the same number
    letter: str = ""  # of another script than its word


class ImportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row as it would be added; what cannot be parsed is as it was written."""

    number: int
    cells: list[str]
    state: RowState
    texts: dict[str, str]
    details: DriverFields
    number_column: int
    problems: tuple[RowProblem, ...]


def choose_columns(table: DriverTable, fields: Sequence[str | None]) -> DriverTable:
    """Return the table with the field that a person chose for each column.

    Raises InvalidImportError: the columns are not as many, or a field is there twice.
    """
    chosen = [field for field in fields if field]
    names = {BOTH_NAMES[0] if field in BOTH_NAMES else field for field in chosen}
    is_twice = BOTH_NAMES[0] in names and not names.isdisjoint((FIRST_NAME, LAST_NAME))
    if len(fields) != len(table.columns) or len(names) < len(chosen) or is_twice:
        raise InvalidImportError
    columns = [
        msgspec.structs.replace(column, field=field, is_guess=False)
        for column, field in zip(table.columns, fields, strict=True)
    ]
    return msgspec.structs.replace(table, columns=columns)


def validate_rows(
    table: DriverTable, corrections: Mapping[int, Mapping[str, str]] = MappingProxyType({})
) -> list[ImportRow]:
    """Return the rows of the table, with their mistakes; `corrections` replace fields of rows."""
    first_rows: dict[str, int] = {}
    columns = {one.field: place for place, one in enumerate(table.columns) if one.field}
    both = next((field for field in BOTH_NAMES if field in columns), None)
    guesses = [one for one in table.columns if one.is_guess and one.field in FIELDS_OF_NAMES]
    is_guess = both is not None or any(one.heading for one in guesses) or not table.has_given_names
    headings = [one.heading for one in table.columns]
    repeated = {
        one.field: list_columns(headings, one.field)
        for one in table.columns
        if one.is_guess and one.field in (LICENCE_NUMBER, NEEDED_CATEGORIES)
    }
    if both is not None:
        columns |= dict.fromkeys((FIRST_NAME, LAST_NAME), columns[both])
    found = []
    for row in table.rows:
        cells = dict(enumerate(row.cells))
        texts = {field: cells.get(columns.get(field, -1), "") for field in FIELDS}
        corrected = corrections.get(row.number, {})
        # Columns that no heading names: of two words, one may be the other name.
        is_clear = not guesses or not (
            is_guess
            or _has_two_words(texts[FIRST_NAME])
            or _has_two_words(texts[LAST_NAME])
            or (is_given_name(texts[LAST_NAME]) and not is_given_name(texts[FIRST_NAME]))
        )
        if both is not None:
            names, is_certain = split_names(texts[FIRST_NAME], both)
            texts |= names
            is_clear = is_clear and is_certain
        if not corrected and _is_sum(row):
            found.append(_skip_row(row, texts))
            continue
        problems = []
        if not is_clear and corrected.keys().isdisjoint((FIRST_NAME, LAST_NAME)):
            key, column = f"drivers.import_row.{RowState.DOUBTFUL}", columns.get(LAST_NAME, -1) + 1
            problems = [RowProblem(field=LAST_NAME, column=column, text=key)]
        problems += [
            RowProblem(field=field, column=columns[field] + 1, text="drivers.import_row.two_values")
            for field, places in repeated.items()
            if field not in corrected
            and len(_values(field, [cells.get(place, "") for place in places])) > 1
        ]
        if row.is_hidden:
            problems += [RowProblem(field=LAST_NAME, column=0, text="drivers.import_row.hidden")]
        texts |= corrected
        found.append(_validate_row(row, texts, columns, problems, first_rows))
    return found


def _values(field: str, texts: Sequence[str]) -> set[str]:
    """Return the different values of the field in these cells; what is none is left out."""
    values = set()
    for text in filter(None, texts):
        with suppress(FieldError):
            values.add(str(_PARSERS[field](text)))
    return values


def _is_sum(row: TableRow) -> bool:
    text = " ".join(filter(None, row.cells))
    return len(text) <= _MAX_SUM and _SUM.fullmatch(normalise_heading(text)) is not None


def _skip_row(row: TableRow, texts: dict[str, str]) -> ImportRow:
    problem = RowProblem(field=LAST_NAME, column=0, text=f"drivers.import_row.{RowState.SKIPPED}")
    return ImportRow(
        number=row.number, cells=row.cells, state=RowState.SKIPPED, texts=texts, details={},
        number_column=0, problems=(problem,),
    )  # fmt: skip


def split_names(text: str, order: str) -> tuple[dict[str, str], bool]:
    """Return both names of a cell, and whether no other division of its words is likely.

    A comma divides them, and is certain only after a last name of one word.
    """
    words = normalise_name(text).split()
    before, comma, after = map(str.strip, normalise_name(text).partition(","))
    is_clear = len(words) <= 2
    if comma:
        is_clear = order == LAST_NAME_FIRST and not _has_two_words(before)
    else:
        place = 1 if order == LAST_NAME_FIRST else len(words) - 1
        before, after = " ".join(words[:place]), " ".join(words[place:])
    names = (LAST_NAME, FIRST_NAME) if order == LAST_NAME_FIRST else (FIRST_NAME, LAST_NAME)
    return dict(zip(names, (before, after), strict=True)), is_clear


def _has_two_words(name: str) -> bool:
    return len(normalise_name(name).split()) > 1


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


def _validate_row(
    row: TableRow, texts: dict[str, str], columns: Mapping[str, int], doubts: Sequence[RowProblem],
    first_rows: dict[str, int],
) -> ImportRow:  # fmt: skip
    """Return the row; `first_rows` has the first row of each number, and gets this one's."""
    details: DriverFields = {}
    problems = []
    for field, text in texts.items():
        try:
            details[field] = _PARSERS[field](text)
        except FieldError as error:
            table = "import_row" if field == NEEDED_CATEGORIES else field
            key = f"drivers.{table}.{error.problem}"
            column = columns.get(field, -1) + 1
            problems.append(RowProblem(field=field, column=column, text=key, letter=error.letter))
    state = RowState.DOUBTFUL if doubts else RowState.READY
    if problems:
        state, doubts = RowState.INVALID, ()
    found = ImportRow(
        number=row.number,
        cells=row.cells,
        state=state,
        texts=texts,
        details=details,
        number_column=columns.get(LICENCE_NUMBER, -1) + 1,
        problems=(*doubts, *problems),
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
    state = state if row.state in ADDABLE else row.state
    return msgspec.structs.replace(row, state=state, problems=(*row.problems, problem))
