"""Reads the table of drivers of a text: pasted, or of a CSV file. Pure.

A pasted range is separated by tabs. The first rows of a text show which sign separates its cells.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice

import msgspec

from prawko.drivers.errors import MAX_BYTES, MAX_ROWS, ImportProblem, UnreadableImportError
from prawko.drivers.table_columns import (
    MAX_CELL_LENGTH,
    MAX_COLUMNS,
    MAX_PREAMBLE_ROWS,
    DriverTable,
    TableRow,
    find_table,
    has_number,
)
from prawko.kit.text.csv_cells import unescape_formula

_SEPARATORS = "\t;,|"
_QUOTED = re.compile(r'"[^"\n]*"')
_TEXT_FORMULA = re.compile('="([^"]*)"')  # programs guard leading zeros with it
_SAMPLE_LINES = 20
_MAX_LINES_OF_ROW = 5  # more is a quote that was opened and not closed


class FileAnswer(msgspec.Struct):
    """What the process that reads a file answers: its table, or why there is none."""

    table: DriverTable | None = None
    problem: ImportProblem | None = None


def read_text(text: str) -> DriverTable:
    """Return the table. Raises UnreadableImportError."""
    if len(text) > MAX_BYTES:
        raise UnreadableImportError(ImportProblem.TOO_LARGE)
    if "\0" in text:
        raise UnreadableImportError(ImportProblem.NOT_A_TABLE)
    return choose_table([_read_rows(text.removeprefix("\ufeff"))])


def choose_table(sheets: Iterable[list[TableRow]]) -> DriverTable:
    """Return the table of the first sheet that has the three columns.

    If none has them for certain, it is the first that may have. Raises UnreadableImportError.
    """
    uncertain: list[DriverTable] = []
    refusals: list[UnreadableImportError] = []
    for rows in sheets:
        try:
            table = find_table(rows)
        except UnreadableImportError as refusal:
            refusals.append(refusal)
            continue
        if table.is_certain:
            return _within_limit(table)
        uncertain.append(table)
    if uncertain:
        return _within_limit(uncertain[0])
    refusals.sort(key=lambda refusal: refusal.problem is ImportProblem.EMPTY)
    raise refusals[0] if refusals else UnreadableImportError(ImportProblem.EMPTY)


def collect_rows(rows: Iterable[tuple[int, Iterable[str]]]) -> list[TableRow]:
    """Return the rows that are not empty, with bounded cells, up to one more than are read."""
    bounded = (
        TableRow(number, [cell[:MAX_CELL_LENGTH].strip() for cell in islice(cells, MAX_COLUMNS)])
        for number, cells in rows
    )
    return [*islice((row for row in bounded if any(row.cells)), MAX_ROWS + MAX_PREAMBLE_ROWS + 1)]


def _within_limit(table: DriverTable) -> DriverTable:
    if len(table.rows) > MAX_ROWS:
        raise UnreadableImportError(ImportProblem.TOO_MANY_ROWS)
    return table


def _read_rows(text: str) -> list[TableRow]:
    separator = _find_separator(text)
    try:
        return _collect(_iterate_quoted(text, separator))
    except csv.Error:  # quotes that do not match: they are taken for letters
        return _collect(enumerate((line.split(separator) for line in text.splitlines()), start=1))


def _collect(rows: Iterator[tuple[int, list[str]]]) -> list[TableRow]:
    return collect_rows((number, map(_unguard, cells)) for number, cells in rows)


def _unguard(cell: str) -> str:
    formula = _TEXT_FORMULA.fullmatch(cell)
    return formula[1] if formula else unescape_formula(cell)


def _find_separator(text: str) -> str:
    """Return the separator that most of the first lines have at least twice outside of quotes.

    Of equals it is the one that leaves more licence numbers by themselves, or else comes first in
    the lines: the last cell may list categories.
    """
    lines = (_QUOTED.sub("", line) for line in StringIO(text, newline=None))
    sample = [*islice(filter(str.strip, lines), _SAMPLE_LINES)]

    def rank(separator: str) -> tuple[int, ...]:
        cells = [line.split(separator) for line in sample]
        wide = sum(len(row) >= 3 for row in cells)
        split = sum(len(row) > 1 for row in cells)
        return wide, sum(map(has_number, cells)), split, -sum(len(row[0]) for row in cells)

    return max(_SEPARATORS, key=rank)


def _iterate_quoted(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    previous = 0
    for cells in reader:
        if reader.line_num - previous > _MAX_LINES_OF_ROW:
            raise csv.Error
        yield previous + 1, cells
        previous = reader.line_num
