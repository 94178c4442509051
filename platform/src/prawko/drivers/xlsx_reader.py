"""Reads the first sheet of an XLSX file: its texts, and nothing else. Pure.

No formula is evaluated: a cell has the result that was stored with it, or else the formula's text.
Macros, links and further sheets are not read. An archive may unpack to far more than its size, so
every part is read up to a limit, and no tree is built of it, because many elements of a few bytes
would fill the memory. Entities, DTDs and network access are disabled, and parts must be UTF-8, so
that a DTD in another encoding is not recognised.
"""

import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from posixpath import join, normpath
from typing import Any, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from lxml import etree

from prawko.drivers.errors import ImportProblem, UnreadableImportError

MAX_COLUMNS = 50
MAX_CELL_LENGTH = 200  # of more, the beginning: longer than any valid value
ZIP_START = b"PK\x03\x04"
MAX_PART_BYTES = 24 * 1024 * 1024
MAX_ROW_NUMBER = 1_048_576  # of a sheet
MAX_ELEMENTS = 500_000  # of a part: as many rows as are read, each with 25 cells and their values
_CHUNK_BYTES = 64 * 1024
_MAX_CHUNKS_OF_TEXT = 4  # longer than any cell; a tag of that length is one of many attributes
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_xlsx_rows(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each row of the first sheet.

    Raises UnreadableImportError.
    """
    try:
        with ZipFile(BytesIO(content)) as archive:
            sheet_path, texts_path = _find_parts(archive)
            texts = [] if texts_path is None else _read_shared_texts(archive, texts_path)
            yield from _iterate_rows(_read_part(archive, sheet_path), texts)
    except (BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError, zlib.error):
        raise UnreadableImportError(ImportProblem.DAMAGED) from None
    except (etree.XMLSyntaxError, LookupError, OverflowError, ValueError):
        raise UnreadableImportError(ImportProblem.DAMAGED) from None


def _find_parts(archive: ZipFile) -> tuple[str, str | None]:
    """The paths of the first sheet and of the shared texts."""
    relations = _list_elements(archive, "xl/_rels/workbook.xml.rels", "Relationship")
    sheets = _list_elements(archive, "xl/workbook.xml", "sheet")
    first_id = sheets[0].get(_RELATION_ID) if sheets else None
    paths = [_part_path(one) for one in relations if one.get("Id") == first_id]
    texts = [_part_path(one) for one in relations if one.get("Type", "").endswith("sharedStrings")]
    if first_id is None or not paths:
        raise UnreadableImportError(ImportProblem.DAMAGED)
    return paths[0], texts[0] if texts else None


def _part_path(relation: Mapping[str, str]) -> str:
    target = relation.get("Target", "")
    return target.lstrip("/") if target.startswith("/") else normpath(join("xl", target))


def _read_part(archive: ZipFile, name: str) -> bytes:
    part: ZipInfo = archive.getinfo(name)
    if part.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise UnreadableImportError(ImportProblem.DAMAGED)
    with archive.open(part) as stream:
        content = stream.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise UnreadableImportError(ImportProblem.TOO_LARGE)
    if b"<!DOCTYPE" in content:
        raise UnreadableImportError(ImportProblem.DAMAGED)
    return content


class _PartTarget:
    """Gets the elements of a part while it is parsed, and keeps none of them.

    `end_element` is called with an element's name, of any namespace, and the beginning of its text.
    """

    def __init__(self) -> None:
        self._elements = 0
        self._text: list[str] = []
        self._length = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise UnreadableImportError(ImportProblem.TOO_LARGE)
        self._text, self._length = [], 0
        self.begin_element(_local_name(tag), attributes)

    def data(self, text: str) -> None:
        if self._length < MAX_CELL_LENGTH:
            self._text.append(text[:MAX_CELL_LENGTH])
            self._length += len(text)

    def end(self, tag: str) -> None:
        self.end_element(_local_name(tag), "".join(self._text)[:MAX_CELL_LENGTH])

    def close(self) -> None:
        """Do nothing: all elements were taken before."""

    def begin_element(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take the begin of an element."""

    def end_element(self, name: str, text: str) -> None:
        """Take the end of an element."""


class _AttributeTarget(_PartTarget):
    """Lists the attributes of the elements of a name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.found: list[Mapping[str, str]] = []

    def begin_element(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == self._name:
            self.found.append(dict(attributes))


class _TextTarget(_PartTarget):
    """Joins the texts of an item, without the readings that East Asian texts carry."""

    def __init__(self) -> None:
        super().__init__()
        self.item = ""
        self._is_reading = False

    def begin_element(self, name: str, attributes: Mapping[str, str]) -> None:
        del attributes
        if name == "rPh":
            self._is_reading = True

    def end_element(self, name: str, text: str) -> None:
        if name == "rPh":
            self._is_reading = False
        elif name == "t" and not self._is_reading:
            self.item = (self.item + text)[:MAX_CELL_LENGTH]


class _SharedTextTarget(_TextTarget):
    """Lists the shared texts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def end_element(self, name: str, text: str) -> None:
        super().end_element(name, text)
        if name == "si":
            self.found.append(self.item)
            self.item = ""


class _RowTarget(_TextTarget):
    """Makes rows of the cells of a sheet."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self._shared_texts = texts
        self._rows: list[tuple[int, list[str]]] = []
        self._number = 0
        self._cells: list[str] = []
        self._index = 0
        self._kind: str | None = None
        self._value = self._formula = ""

    def take_rows(self) -> list[tuple[int, list[str]]]:
        """Return the rows that have ended since the last call."""
        taken, self._rows = self._rows, []
        return taken

    def begin_element(self, name: str, attributes: Mapping[str, str]) -> None:
        super().begin_element(name, attributes)
        if name == "row":
            self._number = _row_number(attributes.get("r")) or self._number + 1
            self._cells = []
        elif name == "c":
            reference = attributes.get("r")
            self._index = _column_index(reference) if reference else len(self._cells)
            self._kind = attributes.get("t")
            self._value = self._formula = self.item = ""

    def end_element(self, name: str, text: str) -> None:
        super().end_element(name, text)
        if name == "v":
            self._value = text
        elif name == "f":
            self._formula = f"={text}"[:MAX_CELL_LENGTH]
        elif name == "c" and self._index < MAX_COLUMNS:
            self._cells += [""] * (self._index + 1 - len(self._cells))
            self._cells[self._index] = self._cell_text()
        elif name == "row":
            self._rows.append((self._number, self._cells))

    def _cell_text(self) -> str:
        if self._kind == "inlineStr":
            return self.item
        if self._value:
            return self._shared_texts[int(self._value)] if self._kind == "s" else self._value
        return self._formula


def _list_elements(archive: ZipFile, path: str, name: str) -> list[Mapping[str, str]]:
    target = _AttributeTarget(name)
    for _ in _parse(_read_part(archive, path), target):
        pass
    return target.found


def _read_shared_texts(archive: ZipFile, path: str) -> list[str]:
    target = _SharedTextTarget()
    for _ in _parse(_read_part(archive, path), target):
        pass
    return target.found


def _iterate_rows(content: bytes, texts: list[str]) -> Iterator[tuple[int, list[str]]]:
    target = _RowTarget(texts)
    for _ in _parse(content, target):
        yield from target.take_rows()


def _parse(content: bytes, target: _PartTarget) -> Iterator[None]:
    """Pass the elements of a part to the target, chunk by chunk."""
    parser = etree.XMLParser(
        target=cast("Any", target),  # the stubs want methods that are optional
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )
    chunks_of_text = 0
    for begin in range(0, len(content), _CHUNK_BYTES):
        chunk = content[begin : begin + _CHUNK_BYTES]
        chunks_of_text = 0 if b"<" in chunk else chunks_of_text + 1
        if chunks_of_text > _MAX_CHUNKS_OF_TEXT:
            raise UnreadableImportError(ImportProblem.TOO_LARGE)
        parser.feed(chunk)
        yield
    parser.close()
    yield


def _local_name(tag: str) -> str:
    return tag.rpartition("}")[2]


def _row_number(reference: str | None) -> int:
    """The number of a row; 0 if it has none. Raises ValueError if no sheet has so many."""
    number = int(reference or 0)
    if not 0 <= number <= MAX_ROW_NUMBER:
        raise ValueError("no sheet has such a row")
    return number


def _column_index(reference: str) -> int:
    """The index of the column of a cell such as 'AB12'."""
    index = 0
    for letter in reference[:4]:
        if not "A" <= letter <= "Z":
            break
        index = index * 26 + ord(letter) - ord("A") + 1
    return max(0, index - 1)
