"""Reads rows of text: pasted from a spreadsheet, or of a CSV file. Pure.

A pasted range is separated by tabs. The first rows of a file show which sign separates its cells.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import islice

import msgspec

from prawko.drivers.imports.errors import MAX_ROWS, ImportProblem, UnreadableImportError

SEPARATORS = "\t;,|"
MAX_COLUMNS = 50
MAX_CELL_LENGTH = 200  # of more, the beginning: longer than any valid value
_SAMPLE_LINES = 20
_MAX_LINES_OF_ROW = 5  # more is a quote that was opened and not closed


class SheetRow(msgspec.Struct, frozen=True):
    """The cells of a row that is not empty; `number` is the row's in the sheet, from one."""

    number: int
    cells: list[str]


def read_text_rows(text: str) -> list[SheetRow]:
    """Return the rows of a text. Raises UnreadableImportError."""
    separator = _find_separator(text)
    try:
        return collect_rows(_iterate_quoted(text, separator))
    except csv.Error:  # quotes that do not match: they are taken for letters
        lines = enumerate(text.splitlines(), start=1)
        return collect_rows((number, line.split(separator)) for number, line in lines)


def collect_rows(rows: Iterator[tuple[int, list[str]]]) -> list[SheetRow]:
    """Return the rows that are not empty, with bounded cells. Raises UnreadableImportError."""
    found: list[SheetRow] = []
    for number, cells in rows:
        texts = [cell[:MAX_CELL_LENGTH].strip() for cell in cells[:MAX_COLUMNS]]
        if not any(texts):
            continue
        if len(found) > MAX_ROWS:  # one more than drivers: the header
            raise UnreadableImportError(ImportProblem.TOO_MANY_ROWS)
        found.append(SheetRow(number, texts))
    if not found:
        raise UnreadableImportError(ImportProblem.EMPTY)
    return found


def _find_separator(text: str) -> str:
    """The separator that most of the first lines have at least twice; the first of equals."""
    sample = [line for line in islice(_iterate_lines(text), _SAMPLE_LINES) if line.strip()]
    return max(SEPARATORS, key=lambda sign: sum(line.count(sign) >= 2 for line in sample))


def _iterate_lines(text: str) -> Iterator[str]:
    return iter(StringIO(text, newline=None))


def _iterate_quoted(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    previous = 0
    for cells in reader:
        if reader.line_num - previous > _MAX_LINES_OF_ROW:
            raise csv.Error
        yield previous + 1, cells
        previous = reader.line_num
