"""Finds the rows of a workbook that its program hides; the library that reads cells does not say.

In XLSX and ODS, patterns read the tags of rows: no entity is expanded.
"""

import re
import zipfile
from collections.abc import Callable, Iterator
from itertools import pairwise

from prawko.drivers.errors import MAX_ROWS

_ROW = re.compile(rb"<(?:\w+:)?(?:table-)?row\b([^>]*)>")
_HIDDEN = re.compile(
    rb"""\b(?:hidden\s*=\s*["'](?:1|true)|visibility\s*=\s*["'](?:collapse|filter))"""
)
_ROW_NUMBER = re.compile(rb"""\sr\s*=\s*["'](\d+)""")
_REPEATED = re.compile(rb"""\bnumber-rows-repeated\s*=\s*["'](\d+)""")
_TABLE = re.compile(rb"<(?:\w+:)?table[\s/>]")
_SHEET = re.compile(rb"""<(?:\w+:)?sheet\b[^>]*\s\w+:id\s*=\s*["']([^"']+)""")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")
_ID = re.compile(rb"""\bId\s*=\s*["']([^"']+)""")
_TARGET = re.compile(rb"""\bTarget\s*=\s*["']/?(?:xl/)?([^"']+)""")
# Records of an XLSB: the row (BrtRowHdr), and the sheet of the workbook (BrtBundleSh).
_XLSB_ROW, _XLSB_SHEET = 0, 156
# Of a workbook of 1997 to 2003: the begin of a sheet, and a row that is hidden.
_XLS_SHEET = re.compile(rb"\x09\x08\x10\x00\x00\x06\x10\x00")
_XLS_ROW = re.compile(
    rb"\x08\x02\x10\x00(..).{10}[\x20-\x3f\x60-\x7f\xa0-\xbf\xe0-\xff]\x01", re.DOTALL
)


def find_hidden_rows(archive: zipfile.ZipFile) -> list[set[int]]:
    """Return the numbers of hidden rows, from one, of each sheet in the order of the workbook.

    Raises KeyError: a part is missing.
    """
    names = {name.lower().replace("\\", "/"): name for name in archive.namelist()}

    def read(name: str) -> bytes:
        return archive.read(names[name])

    def read_rows(name: str) -> set[int]:
        part = read(name)
        return {*_binary_rows(part)} if name.endswith(".bin") else _rows_of_tags(part)

    if "content.xml" in names:
        part = read("content.xml")
        starts = [*(table.start() for table in _TABLE.finditer(part)), len(part)]
        return [_rows_of_tags(part, *place) for place in pairwise(starts)]
    return [read_rows(name) for name in _list_sheets(read, is_binary="xl/workbook.bin" in names)]


def find_hidden_rows_of_xls(content: bytes) -> list[set[int]]:
    """Return the same of a workbook of 1997 to 2003."""
    starts = [*(sheet.start() for sheet in _XLS_SHEET.finditer(content)), len(content)]
    return [
        {int.from_bytes(row[1], "little") + 1 for row in _XLS_ROW.finditer(content, *place)}
        for place in pairwise(starts)
    ]


def _list_sheets(read: Callable[[str], bytes], *, is_binary: bool) -> list[str]:
    """Return the names of the parts of the sheets."""
    name = "workbook.bin" if is_binary else "workbook.xml"
    book, relations = read(f"xl/{name}"), read(f"xl/_rels/{name}.rels")
    targets = {
        key[1]: target[1].decode().lower()
        for tag in _RELATION.findall(relations)
        if (key := _ID.search(tag)) and (target := _TARGET.search(tag))
    }
    keys = _iterate_binary_sheets(book) if is_binary else _SHEET.findall(book)
    return [f"xl/{targets[key]}" for key in keys]


def _rows_of_tags(part: bytes, start: int = 0, end: int | None = None) -> set[int]:
    hidden: set[int] = set()
    number, end = 0, len(part) if end is None else end
    if not _HIDDEN.search(part, start, end):
        return hidden  # a sheet may have a million rows
    for row in _ROW.finditer(part, start, end):
        given, repeated = _ROW_NUMBER.search(row[1]), _REPEATED.search(row[1])
        number = int(given[1]) if given else number + 1
        count = int(repeated[1]) if repeated else 1
        if _HIDDEN.search(row[1]):
            hidden.update(range(number, number + min(count, 2 * MAX_ROWS)))
        number += count - 1
    return hidden


def _binary_rows(part: bytes) -> Iterator[int]:
    for kind, place in iterate_records(part):
        if kind == _XLSB_ROW and part[place + 11 : place + 12] > b"\x0f" and part[place + 11] & 16:
            yield int.from_bytes(part[place : place + 4], "little") + 1


def _iterate_binary_sheets(book: bytes) -> Iterator[bytes]:
    for kind, place in iterate_records(book):
        if kind == _XLSB_SHEET:
            length = 2 * int.from_bytes(book[place + 8 : place + 12], "little")
            yield book[place + 12 : place + 12 + length].decode("utf-16-le").encode()


def iterate_records(part: bytes) -> Iterator[tuple[int, int]]:
    """Yield the kinds of the records of a part of an XLSB, and where their content begins."""
    place = 0

    def read_number() -> int:
        nonlocal place
        number = shift = 0
        while place < len(part):
            number |= (part[place] & 0x7F) << shift
            place, shift = place + 1, shift + 7
            if part[place - 1] < 0x80:
                break
        return number

    while place < len(part):
        kind, size = read_number(), read_number()
        yield kind, place
        place += size
