"""Reads a statement file of any format, recognised by its content. Pure."""

from prawko.kit.text.plain_text import decode_text
from prawko.payments.statements.bank_csv import parse_bank_csv
from prawko.payments.statements.camt053 import parse_camt053
from prawko.payments.statements.entries import StatementFile, StatementFormat
from prawko.payments.statements.errors import (
    MAX_MEGABYTES,
    StatementProblem,
    UnreadableStatementError,
)
from prawko.payments.statements.mt940 import is_mt940, parse_mt940

MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def parse_statement(content: bytes) -> StatementFile:
    """Return the entries of a statement file. Raises UnreadableStatementError for any other."""
    if len(content) > MAX_BYTES:
        raise UnreadableStatementError(StatementProblem.TOO_LARGE)
    if not content.strip():
        raise UnreadableStatementError(StatementProblem.EMPTY)
    if _is_xml(content):
        return StatementFile(format=StatementFormat.CAMT053, entries=parse_camt053(content))
    text = decode_text(content)
    if text is None:
        raise UnreadableStatementError(StatementProblem.NOT_TEXT)
    if is_mt940(text):
        return StatementFile(format=StatementFormat.MT940, entries=parse_mt940(text))
    file = parse_bank_csv(text)
    if file is None:
        raise UnreadableStatementError(StatementProblem.UNKNOWN_FORMAT)
    return file


def _is_xml(content: bytes) -> bool:
    start = content[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    is_utf16 = content.startswith(_UTF16_MARKS) and b"<\0" in content[:8] + b"\0"
    return start.startswith(b"<") or is_utf16
