"""Reads a table: a pasted text, or a CSV or XLSX file, recognised by its content. Pure.

A pasted range is separated by tabs. The first rows of a file show which sign separates its cells.
"""

import binascii
import csv
from base64 import b64decode
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from io import StringIO
from itertools import islice

import msgspec

from prawko.drivers.errors import MAX_BYTES, MAX_ROWS, ImportProblem, UnreadableImportError
from prawko.drivers.xlsx_reader import MAX_CELL_LENGTH, MAX_COLUMNS, ZIP_START, read_xlsx_rows
from prawko.kit.text.plain_text import decode_text

_UTF16_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)  # what Excel saves as 'Unicode text'
_SEPARATORS = "\t;,|"
_SAMPLE_LINES = 20
_MAX_LINES_OF_ROW = 5  # more is a quote that was opened and not closed


class SheetRow(msgspec.Struct, frozen=True):
    """The cells of a row that is not empty; `number` is the row's in the sheet, from one."""

    number: int
    cells: list[str]


def read_table(text: str, content_base64: str) -> list[SheetRow]:
    """Return the rows of a text or, if there is one, of a file. Raises UnreadableImportError."""
    if not content_base64:
        return _read_text(text)
    try:
        content = b64decode(content_base64, validate=True)
    except (binascii.Error, ValueError):
        raise UnreadableImportError(ImportProblem.DAMAGED) from None
    return read_file_rows(content)


def read_file_rows(content: bytes) -> list[SheetRow]:
    """Return the rows of a file. Raises UnreadableImportError."""
    if len(content) > MAX_BYTES:
        raise UnreadableImportError(ImportProblem.TOO_LARGE)
    if not content.removeprefix(BOM_UTF8).strip():
        raise UnreadableImportError(ImportProblem.EMPTY)
    if content.startswith(ZIP_START):
        return _collect_rows(read_xlsx_rows(content))
    text = _decode_utf16(content) if content.startswith(_UTF16_MARKS) else decode_text(content)
    if text is None:
        raise UnreadableImportError(ImportProblem.NOT_A_TABLE)
    return _read_text(text)


def _decode_utf16(content: bytes) -> str | None:
    try:
        return content.decode("utf-16")
    except UnicodeDecodeError:
        return None


def _read_text(text: str) -> list[SheetRow]:
    if len(text) > MAX_BYTES:
        raise UnreadableImportError(ImportProblem.TOO_LARGE)
    if not text.strip():
        raise UnreadableImportError(ImportProblem.EMPTY)
    if "\0" in text:
        raise UnreadableImportError(ImportProblem.NOT_A_TABLE)
    return _read_text_rows(text.removeprefix("\ufeff"))


def _read_text_rows(text: str) -> list[SheetRow]:
    """Return the rows of a text. Raises UnreadableImportError."""
    separator = _find_separator(text)
    try:
        return _collect_rows(_iterate_quoted(text, separator))
    except csv.Error:  # quotes that do not match: they are taken for letters
        lines = enumerate(text.splitlines(), start=1)
        return _collect_rows((number, line.split(separator)) for number, line in lines)


def _collect_rows(rows: Iterator[tuple[int, list[str]]]) -> list[SheetRow]:
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
    return max(_SEPARATORS, key=lambda sign: sum(line.count(sign) >= 2 for line in sample))


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
