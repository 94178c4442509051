"""Finds which column holds which field, by the names of the columns or by their content. Pure.

Without a header the columns are first name, last name, number and categories, in this order; the
number is found by its form in any column.
"""

import unicodedata
from collections.abc import Mapping, Sequence

from prawko.drivers.imports.errors import ImportProblem, UnreadableImportError
from prawko.drivers.imports.text_reader import SheetRow
from prawko.drivers.validation import is_licence_number, strip_separators

FIRST_NAME = "first_name"
LAST_NAME = "last_name"
LICENCE_NUMBER = "license_number"
NEEDED_CATEGORIES = "needed_categories"

Columns = Mapping[str, int]  # a field and the index of its column

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


def split_header(rows: Sequence[SheetRow]) -> tuple[Columns, Sequence[SheetRow]]:
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
    letters = unicodedata.normalize("NFD", name.casefold().replace("ł", "l"))
    kept = (c if c.isalpha() else " " for c in letters if not unicodedata.combining(c))
    return " ".join("".join(kept).split())


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
