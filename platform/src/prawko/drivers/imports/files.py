"""Reads a table of any supported format, recognised by its content. Pure."""

import binascii
from base64 import b64decode
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from prawko.drivers.imports.errors import MAX_MEGABYTES, ImportProblem, UnreadableImportError
from prawko.drivers.imports.text_reader import SheetRow, read_text_rows
from prawko.drivers.imports.xlsx_reader import ZIP_START, read_xlsx_rows
from prawko.kit.text.plain_text import decode_text

MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
_UTF16_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)  # what Excel saves as 'Unicode text'


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
        return read_xlsx_rows(content)
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
    return read_text_rows(text.removeprefix("\ufeff"))
