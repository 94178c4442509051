"""Reads the table of drivers of a file, recognised by its content, in a process of its own.

A workbook may unpack to far more than its size, and its reader may crash. Of its cells, the stored
values are read: no formula is evaluated, and no macro or link is followed. The library reads errors
such as #N/A as empty cells, so that a driver would lack categories; in XLSX and ODS they are made
texts first, which no field accepts, and an XLS or XLSB that has one is refused.
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
from msgspec.structs import replace
from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from prawko.drivers.errors import ImportProblem, UnreadableImportError
from prawko.drivers.hidden_rows import find_hidden_rows, find_hidden_rows_of_xls, iterate_records
from prawko.drivers.table_columns import (
    MAX_COLUMNS,
    DriverTable,
    TableRow,
)
from prawko.drivers.table_reader import FileAnswer, choose_table, collect_rows, read_text
from prawko.kit.process_protection import read_content
from prawko.kit.text.encodings import decode_text

_WORKBOOK_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # since 2007 and ODS, and before
_SHEET = re.compile(r"worksheets/[^/]+\.xml|^content\.xml", re.IGNORECASE)
_BINARY_SHEET = re.compile(r"worksheets/[^/]+\.bin", re.IGNORECASE)
_ERROR = re.compile(rb"""(<(?:\w+:)?c\b[^>]*\bt\s*=\s*)["']e["']""")
# A formula whose result no program has stored.
_FORMULA = re.compile(
    rb"""<((?:\w+:)?)c(\s[^>]*)?>\s*<\1f\b[^>]*(?:/>|>[^<]*</\1f>)\s*"""
    rb"""(<\1v\s*/>|<\1v>\s*</\1v>)?\s*</\1c>"""
)
_CELL_TYPE = re.compile(rb"""\st\s*=\s*["'](\w*)["']""")
_ODS_ERROR = re.compile(rb'office:string-value=""(?=[^>]*calcext:value-type="error")')
_ERROR_CODE = rb"[\x00\x07\x0f\x17\x1d\x24\x2a\x2b]"
# Of a workbook of 1997 to 2003: a cell that is an error, and a formula whose result is one.
_XLS_ERROR = re.compile(
    rb"\x05\x02\x08\x00.{6}%b\x01|\x06\x00.{8}\x02.%b...\xff\xff" % (_ERROR_CODE, _ERROR_CODE),
    re.DOTALL,
)
_XLSB_ERRORS = {3, 11}  # BrtCellError and BrtFmlaError
_OTHER_STARTS = ("%PDF", "<", "{\\rtf", "MIME-Version:")  # the last two of web pages called .xls


def read_file(content: bytes) -> DriverTable:
    """Return the table. Raises UnreadableImportError."""
    if content.startswith(_WORKBOOK_STARTS):
        return choose_table(_iterate_sheets(content))
    text = decode_text(content)
    if (text or content.decode("latin-1")).lstrip("\ufeff \t\r\n").startswith(_OTHER_STARTS):
        raise UnreadableImportError(ImportProblem.NOT_A_TABLE)
    if text is None:
        is_text = b"\0" not in content
        raise UnreadableImportError(
            ImportProblem.UNKNOWN_ENCODING if is_text else ImportProblem.NOT_A_TABLE
        )
    return read_text(text)


def _iterate_sheets(content: bytes) -> Iterator[list[TableRow]]:
    try:
        prepared, hidden = _prepare(content)
        workbook = CalamineWorkbook.from_filelike(BytesIO(prepared))
        sheets = workbook.sheets_metadata
        if len(hidden) != len(sheets):
            hidden = [set().union(*hidden)] * len(sheets)
        for index, sheet in enumerate(sheets):
            if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible:
                rows = collect_rows(_iterate_rows(workbook.get_sheet_by_index(index)))
                yield [replace(row, is_hidden=row.number in hidden[index]) for row in rows]
    except (CalamineError, KeyError):
        raise UnreadableImportError(ImportProblem.DAMAGED) from None


def _prepare(content: bytes) -> tuple[bytes, list[set[int]]]:
    """Return the workbook and the hidden rows of its sheets.

    It is a copy if cells of its sheets are errors or lack their result. Raises
    UnreadableImportError for errors in binary formats.
    """
    changed: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            for name in archive.namelist():
                if _BINARY_SHEET.search(name):
                    _refuse_errors(
                        has_errors=any(
                            kind in _XLSB_ERRORS for kind, _ in iterate_records(archive.read(name))
                        )
                    )
                elif _SHEET.search(name):
                    old = archive.read(name)
                    part = _FORMULA.sub(_name_missing, _ERROR.sub(rb'\1"str"', old))
                    if (part := _ODS_ERROR.sub(b"", part)) != old:
                        changed[name] = part
            hidden = find_hidden_rows(archive)
            return _with_parts(archive, changed) if changed else content, hidden
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError):
        _refuse_errors(has_errors=_XLS_ERROR.search(content) is not None)
        # No archive, or one that the library refuses.
        return content, find_hidden_rows_of_xls(content)


def _refuse_errors(*, has_errors: bool) -> None:
    if has_errors:
        raise UnreadableImportError(ImportProblem.ERRORS)


def _name_missing(cell: re.Match[bytes]) -> bytes:
    kind = _CELL_TYPE.search(cell[2] or b"")
    if cell[3] and kind and kind[1] == b"str":
        return cell[0]  # the result is an empty text
    others = _CELL_TYPE.sub(b"", cell[2] or b"")
    return b'<%bc%b t="str"><%bv>#N/A</%bv></%bc>' % (cell[1], others, *[cell[1]] * 3)


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
