"""Reads the table of drivers of a file, recognised by its content, in a process of its own.

A workbook may unpack to far more than its size, and its reader may crash. Of its cells, the stored
values are read: no formula is evaluated, and no macro or link is followed. The library reads errors
such as #N/A as empty cells, so that a driver would lack categories; in XLSX and ODS they are made
texts first, which no field accepts.
"""

import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from typing import Any

import msgspec
from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from prawko.drivers.errors import ImportProblem, UnreadableImportError
from prawko.drivers.table_columns import (
    MAX_COLUMNS,
    DriverTable,
    FileAnswer,
    TableRow,
    choose_table,
    collect_rows,
)
from prawko.drivers.table_reader import read_text
from prawko.kit.process_protection import read_content
from prawko.kit.text.encodings import decode_text

_WORKBOOK_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # since 2007 and ODS, and before
_SHEET = re.compile(r"worksheets/[^/]+\.xml|^content\.xml", re.IGNORECASE)
_ERRORS = (
    (re.compile(rb"""(<(?:\w+:)?c\b[^>]*\bt=)["']e["']"""), rb'\1"str"'),
    # A formula whose result no program has stored.
    (
        re.compile(
            rb"""<((?:\w+:)?)c((?:\s+(?!t=)\w+="[^"]*")*)\s*>"""
            rb"""<\1f\b[^>]*(?:/>|>[^<]*</\1f>)(?:<\1v\s*/>|<\1v></\1v>)?</\1c>"""
        ),
        rb'<\1c\2 t="str"><\1v>#N/A</\1v></\1c>',
    ),
    (re.compile(rb'office:string-value=""(?=[^>]*calcext:value-type="error")'), b""),
)
_OTHER_STARTS = (b"%PDF", b"<", b"{\\rtf")


def read_file(content: bytes) -> DriverTable:
    """Return the table. Raises UnreadableImportError."""
    if content.startswith(_WORKBOOK_STARTS):
        return choose_table(_iterate_sheets(content))
    if content.lstrip().startswith(_OTHER_STARTS):
        raise UnreadableImportError(ImportProblem.NOT_A_TABLE)
    text = decode_text(content)
    if text is None:
        is_text = b"\0" not in content
        raise UnreadableImportError(
            ImportProblem.UNKNOWN_ENCODING if is_text else ImportProblem.NOT_A_TABLE
        )
    return read_text(text)


def _iterate_sheets(content: bytes) -> Iterator[list[TableRow]]:
    try:
        workbook = CalamineWorkbook.from_filelike(BytesIO(_with_errors_as_texts(content)))
        for index, sheet in enumerate(workbook.sheets_metadata):
            if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible:
                yield collect_rows(_iterate_rows(workbook.get_sheet_by_index(index)))
    except CalamineError:
        raise UnreadableImportError(ImportProblem.DAMAGED) from None


def _with_errors_as_texts(content: bytes) -> bytes:
    """Return the workbook, or a copy if cells of its sheets are errors or lack their result."""
    changed: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            for name in filter(_SHEET.search, archive.namelist()):
                old = part = archive.read(name)
                for pattern, text in _ERRORS:
                    part = pattern.sub(text, part)
                if part != old:
                    changed[name] = part
            return _with_parts(archive, changed) if changed else content
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError):
        return content  # no archive, or one that the library refuses


def _with_parts(archive: zipfile.ZipFile, changed: dict[str, bytes]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
        for name in dict.fromkeys(archive.namelist()):
            copy.writestr(name, changed[name] if name in changed else archive.read(name))
    return file.getvalue()


def _iterate_rows(sheet: CalamineSheet) -> Iterator[tuple[int, Iterator[str]]]:
    """Yield the number and the cells of each row that has one: a million may have none."""
    _, first_column = sheet.start or (0, 0)
    before = [""] * min(first_column, MAX_COLUMNS)
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        if any(cells):
            yield number, chain(before, map(_to_text, cells))


def _to_text(value: Any) -> str:
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


def main() -> None:
    """Read the file of standard input."""
    try:
        answer = FileAnswer(table=read_file(read_content()))
    except UnreadableImportError as refusal:
        answer = FileAnswer(problem=refusal.problem)
    sys.stdout.buffer.write(msgspec.json.encode(answer))


if __name__ == "__main__":
    main()
