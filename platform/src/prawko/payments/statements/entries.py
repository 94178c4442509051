"""Entries of a bank statement, and how their amounts and dates are written. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from hashlib import sha256

import msgspec

from prawko.hooks.payments import is_valid_currency
from prawko.kit.text.plain_text import to_single_line
from prawko.payments.errors import StatementProblem, UnreadableStatementError
from prawko.payments.schemas import MAX_GROSZE, MAX_REFERENCE_LENGTH, MAX_TITLE_LENGTH

MAX_PAYER_LENGTH = 200
_MIN_ID_LENGTH = 6
_DIGEST_LENGTH = 32
_MAX_ID_LENGTH = MAX_REFERENCE_LENGTH - _DIGEST_LENGTH - 1
# More of a text in a file is not looked at.
MAX_RAW_LENGTH = 4096
_MAX_AMOUNT_LENGTH = 40
_BLANKS = re.compile(r"\s+")
MINUS_SIGNS = "-\u2212\u2013\u2012"
_TO_MINUS = str.maketrans(dict.fromkeys(MINUS_SIGNS, "-"))
_AMOUNTS = (
    re.compile(r"([+-]?)(\d{1,3}(?:\.\d{3})+|\d{1,12}),(\d{1,2})", re.ASCII),
    re.compile(r"([+-]?)(\d{1,3}(?:,\d{3})+|\d{1,12})\.(\d{1,2})", re.ASCII),
    re.compile(r"([+-]?)(\d{1,12})()", re.ASCII),
)
_YEAR_FIRST = re.compile(r"(\d{4})([-./]?)(\d{2})\2(\d{2})(?:[ T].*)?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{2})([-./])(\d{2})\2(\d{4})(?:[ T].*)?", re.ASCII)


class StatementFormat(StrEnum):
    """The formats of statement files: two standards, and the CSV exports of banks."""

    MT940 = "mt940"
    CAMT053 = "camt053"
    BNP_PARIBAS = "bnp_paribas"
    ING = "ing"
    MBANK = "mbank"
    MILLENNIUM = "millennium"
    PEKAO = "pekao"
    PKO = "pko"
    PKO_BUSINESS = "pko_business"
    SANTANDER = "santander"


class StatementEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One booked entry; `grosze` is negative for a debit, `line` its place in the file.

    `bank_id` is the bank's own id of it, empty if the file has none.
    """

    line: int
    booked_on: date
    grosze: int
    currency: str
    payer: str
    title: str
    bank_id: str = ""


class StatementFile(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed file: its entries in their order."""

    format: StatementFormat
    entries: tuple[StatementEntry, ...]


def create_entry(
    *,
    line: int,
    booked_on: date,
    grosze: int,
    currency: str,
    payer: str,
    title: str,
    bank_id: str = "",
) -> StatementEntry:
    """Return an entry with its texts on one line and shortened. Raises UnreadableStatementError."""
    if not is_valid_currency(currency):
        raise UnreadableStatementError(StatementProblem.INVALID_CURRENCY, line=line)
    if not 0 < abs(grosze) <= MAX_GROSZE:
        raise UnreadableStatementError(StatementProblem.INVALID_AMOUNT, line=line)
    return StatementEntry(
        line=line,
        booked_on=booked_on,
        grosze=grosze,
        currency=currency,
        payer=to_single_line(payer[:MAX_RAW_LENGTH])[:MAX_PAYER_LENGTH],
        title=to_single_line(title[:MAX_RAW_LENGTH])[:MAX_TITLE_LENGTH],
        bank_id=to_single_line(bank_id[:MAX_RAW_LENGTH])[:MAX_REFERENCE_LENGTH],
    )


def parse_amount(text: str, line: int) -> int:
    """Return the grosze of `1 234,56`, `1.234,56`, `1,234.56` or `-1234.5`.

    Raises UnreadableStatementError.
    """
    compact = _BLANKS.sub("", text.translate(_TO_MINUS))
    for pattern in _AMOUNTS if len(compact) <= _MAX_AMOUNT_LENGTH else ():
        if match := pattern.fullmatch(compact):
            sign, whole, fraction = match.groups()
            grosze = int(re.sub(r"\D", "", whole)) * 100 + int((fraction + "00")[:2])
            return -grosze if sign == "-" else grosze
    raise UnreadableStatementError(StatementProblem.INVALID_AMOUNT, line=line)


def parse_date(text: str, line: int) -> date:
    """Return the date of `2026-11-22`, `20261122` or `22.11.2026`, with `-`, `.` or `/`.

    A time after it is ignored. Raises UnreadableStatementError.
    """
    try:
        if match := _YEAR_FIRST.fullmatch(text.strip()):
            return date(int(match[1]), int(match[3]), int(match[4]))
        if match := _DAY_FIRST.fullmatch(text.strip()):
            return date(int(match[4]), int(match[3]), int(match[1]))
    except ValueError:
        pass
    raise UnreadableStatementError(StatementProblem.INVALID_DATE, line=line)


def is_date(text: str) -> bool:
    """Whether `parse_date` can read a text."""
    try:
        parse_date(text, 0)
    except UnreadableStatementError:
        return False
    return True


def entry_references(entries: Sequence[StatementEntry]) -> list[str]:
    """Return the reference of each entry under which it is booked once, however often imported.

    It is the bank's id with a digest of it, day, amount and currency: banks use ids again. Of an
    entry whose id is missing, short or not its own, it is a digest of the entry and of its number
    among equal ones: two equal transfers on a day are two.
    """
    ids = Counter(map(_identity, entries))
    seen: Counter[bytes] = Counter()
    references = []
    for entry in entries:
        identity = _identity(entry)
        if ids[identity] == 1 and _is_specific(entry.bank_id):
            digest = sha256(identity).hexdigest()
            references.append(f"{entry.bank_id[:_MAX_ID_LENGTH]}-{digest[:_DIGEST_LENGTH]}")
            continue
        content = msgspec.json.encode(msgspec.structs.replace(entry, line=0))
        seen[content] += 1
        digest = sha256(content + f"#{seen[content]}".encode()).hexdigest()
        references.append(f"line-{digest[:_DIGEST_LENGTH]}")
    return references


def entry_content(entry: StatementEntry, named_reference: str) -> str:
    """Return what an entry has in common with itself in a file of another format.

    Its day, amount and currency, with the payment that its title names, or else the title's
    letters and digits: banks break and space titles differently.
    """
    title = "".join(filter(str.isalnum, entry.title.casefold()))
    values = (entry.booked_on, entry.grosze, entry.currency, named_reference or title)
    return msgspec.json.encode(values).decode()


def _identity(entry: StatementEntry) -> bytes:
    """Return what tells an entry from others with its id; the amount's sign is its direction."""
    return msgspec.json.encode((entry.bank_id, entry.booked_on, entry.grosze, entry.currency))


def _is_specific(bank_id: str) -> bool:
    return len(bank_id) >= _MIN_ID_LENGTH and any(character.isdigit() for character in bank_id)
