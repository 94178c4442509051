"""Reads the first sheet of an XLSX file: its texts, and nothing else. Pure.

No formula is evaluated: a cell has the result that was stored with it, or else the formula's text.
Macros, links and further sheets are not read. An archive may unpack to far more than its size, so
every part is read up to a limit; entities, DTDs and network access are disabled.
"""

import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from posixpath import join, normpath
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from lxml import etree

from prawko.drivers.imports.errors import MAX_ROWS, ImportProblem, UnreadableImportError
from prawko.drivers.imports.text_reader import (
    MAX_CELL_LENGTH,
    MAX_COLUMNS,
    SheetRow,
    collect_rows,
)

ZIP_START = b"PK\x03\x04"
MAX_PART_BYTES = 24 * 1024 * 1024
_MAX_SHARED_TEXTS = MAX_ROWS * MAX_COLUMNS
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_xlsx_rows(content: bytes) -> list[SheetRow]:
    """Return the rows of the first sheet. Raises UnreadableImportError."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            sheet_path, texts_path = _find_parts(archive)
            texts = [] if texts_path is None else _read_shared_texts(archive, texts_path)
            return collect_rows(_iterate_rows(_read_part(archive, sheet_path), texts))
    except (BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError, zlib.error):
        raise UnreadableImportError(ImportProblem.DAMAGED) from None
    except (etree.XMLSyntaxError, LookupError, ValueError):
        raise UnreadableImportError(ImportProblem.DAMAGED) from None


def _find_parts(archive: ZipFile) -> tuple[str, str | None]:
    """The paths of the first sheet and of the shared texts."""
    relations = [
        dict(relation.attrib)
        for _, relation in _iterate_elements(
            _read_part(archive, "xl/_rels/workbook.xml.rels"), "Relationship"
        )
    ]
    workbook = _read_part(archive, "xl/workbook.xml")
    sheet_ids = [sheet.get(_RELATION_ID) for _, sheet in _iterate_elements(workbook, "sheet")]
    sheets = [_part_path(one) for one in relations if one.get("Id") in sheet_ids[:1]]
    texts = [_part_path(one) for one in relations if one.get("Type", "").endswith("sharedStrings")]
    if not sheets:
        raise UnreadableImportError(ImportProblem.DAMAGED)
    return sheets[0], texts[0] if texts else None


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


def _iterate_elements(content: bytes, name: str) -> Iterator[tuple[str, Any]]:
    """Iterate over the elements of a name, of any namespace; each is freed after its use."""
    events = etree.iterparse(
        BytesIO(content),
        events=("end",),
        tag=f"{{*}}{name}",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    for event, element in events:
        yield event, element
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _read_shared_texts(archive: ZipFile, path: str) -> list[str]:
    texts = []
    for _, element in _iterate_elements(_read_part(archive, path), "si"):
        texts.append(_text_of(element))
        if len(texts) > _MAX_SHARED_TEXTS:
            raise UnreadableImportError(ImportProblem.TOO_MANY_ROWS)
    return texts


def _iterate_rows(content: bytes, texts: list[str]) -> Iterator[tuple[int, list[str]]]:
    previous = 0
    for _, row in _iterate_elements(content, "row"):
        number = int(row.get("r") or previous + 1)
        cells: list[str] = []
        for cell in row.iterchildren("{*}c"):
            index = _column_index(cell.get("r")) if cell.get("r") else len(cells)
            if index >= MAX_COLUMNS:
                break
            cells += [""] * (index + 1 - len(cells))
            cells[index] = _cell_text(cell, texts)
        previous = number
        yield number, cells


def _column_index(reference: str) -> int:
    """The index of the column of a cell such as 'AB12'."""
    index = 0
    for letter in reference[:4]:
        if not "A" <= letter <= "Z":
            break
        index = index * 26 + ord(letter) - ord("A") + 1
    return max(0, index - 1)


def _cell_text(cell: Any, texts: list[str]) -> str:
    kind = cell.get("t")
    if kind == "inlineStr":
        return _text_of(cell)
    value = cell.find("{*}v")
    if value is not None and value.text:
        return texts[int(value.text)] if kind == "s" else value.text[:MAX_CELL_LENGTH]
    formula = cell.find("{*}f")
    return "" if formula is None else f"={formula.text or ''}"[:MAX_CELL_LENGTH]


def _text_of(element: Any) -> str:
    """The text of a string item, without the readings that East Asian texts carry."""
    parts = element.iterfind("{*}t"), element.iterfind("{*}r/{*}t"), element.iterfind("{*}is//{*}t")
    return "".join(part.text or "" for group in parts for part in group)[:MAX_CELL_LENGTH]
