"""Parses the CSV exports of Polish banks. Pure.

The layout is found by the names of its columns, below whatever precedes them; Santander's (now
Erste's) has none, and starts with a row about the account.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO

import msgspec

from prawko.payments.errors import (
    MAX_ENTRIES,
    StatementProblem,
    UnreadableStatementError,
)
from prawko.payments.statements.csv_layouts import (
    LAYOUTS,
    UNBOOKED_STATUSES,
    CsvLayout,
    normalise_name,
)
from prawko.payments.statements.entries import (
    MINUS_SIGNS,
    StatementEntry,
    StatementFile,
    StatementFormat,
    create_entry,
    is_date,
    parse_amount,
    parse_date,
)

SEPARATORS = ";,\t"
_MAX_PREAMBLE_ROWS = 60
_MAX_LINES_OF_ROW = 5  # more is a quote that was opened and not closed
_MAX_LINES = _MAX_LINES_OF_ROW * MAX_ENTRIES
_MAX_CELLS = 500
_CURRENCY = re.compile(r"\s*([A-Z]{3})", re.ASCII)
_CURRENCY_SUFFIX = re.compile(r"(.*\d)\s*([A-Z]{3})\s*", re.ASCII)
_TITLE_LABEL = re.compile(r"\s*Tytu[lł](?:em)?:\s*(.*)", re.IGNORECASE | re.DOTALL)
_PAYER_LABEL = re.compile(r"\s*Nazwa (?:nadawcy|odbiorcy):\s*(.*)", re.IGNORECASE | re.DOTALL)
_SANTANDER_COLUMNS = 8


class _Row(msgspec.Struct, frozen=True):
    line: int
    cells: list[str]


def parse_bank_csv(text: str) -> StatementFile | None:
    """Return the entries of an export; None if it is none of these banks'.

    Raises UnreadableStatementError if one of its rows cannot be read.
    """
    for separator in SEPARATORS:
        rows = _iterate_rows(text, separator)
        preamble: list[_Row] = []
        for row in rows:
            if is_santander_account(row.cells) and not preamble:
                return _create_file(StatementFormat.SANTANDER, _parse_santander(row, rows))
            names = [normalise_name(cell) for cell in row.cells]
            layout = next((one for one in LAYOUTS if one.signature <= set(names)), None)
            if layout is not None:
                parser = _RowParser(layout, names, _find_currency(preamble))
                return _create_file(layout.format, filter(None, map(parser.parse, rows)))
            preamble.append(row)
            if len(preamble) > _MAX_PREAMBLE_ROWS:
                break
    return None


def _iterate_rows(text: str, separator: str) -> Iterator[_Row]:
    """Iterate over the rows that are not empty, with the number of their first line."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator)
    previous = 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:
            raise UnreadableStatementError(
                StatementProblem.INVALID_ROW, line=previous + 1
            ) from None
        if cells is None:
            return
        line, previous = previous + 1, reader.line_num
        if previous > _MAX_LINES:
            raise UnreadableStatementError(StatementProblem.TOO_MANY_ENTRIES)
        if len(cells) > _MAX_CELLS:
            raise UnreadableStatementError(StatementProblem.INVALID_ROW, line=line)
        if any(cell.strip() for cell in cells):
            if previous - line >= _MAX_LINES_OF_ROW:
                raise UnreadableStatementError(StatementProblem.INVALID_ROW, line=line)
            yield _Row(line, [cell.strip() for cell in cells])


def _create_file(format_: StatementFormat, entries: Iterator[StatementEntry]) -> StatementFile:
    kept = []
    for entry in entries:
        kept.append(entry)
        if len(kept) > MAX_ENTRIES:
            raise UnreadableStatementError(StatementProblem.TOO_MANY_ENTRIES)
    return StatementFile(format=format_, entries=tuple(kept))


class _RowParser:
    """Parses the rows below a header."""

    def __init__(self, layout: CsvLayout, names: Sequence[str], currency: str) -> None:
        self._layout = layout
        self._columns = {name: names.index(name) for name in names if name}
        self._currency = currency

    def parse(self, row: _Row) -> StatementEntry | None:
        """Return the row's entry; None if it is no booking: a hold, a sum, a remark."""
        layout = self._layout
        amount = self._amount(row)
        day = self._first(row, layout.dates)
        status = normalise_name(self._cell(row, layout.status))
        if not amount or any(one in status for one in UNBOOKED_STATUSES):
            return None
        if not day or day.startswith("#"):  # a hold, or the balance below mBank's rows
            return None
        amount, currency = self._split_currency(row, amount)
        title, payer = self._texts(row)
        return create_entry(
            line=row.line,
            booked_on=parse_date(day, row.line),
            grosze=parse_amount(amount, row.line),
            currency=currency,
            payer=payer,
            title=title,
            bank_id=self._cell(row, layout.bank_id).strip("' "),
        )

    def _amount(self, row: _Row) -> str:
        """Return the amount as it is written, with a minus if it is a debit."""
        layout = self._layout
        if layout.amount:
            return self._cell(row, layout.amount)
        if credit := self._cell(row, layout.credit):
            return credit
        debit = self._cell(row, layout.debit).lstrip(MINUS_SIGNS)
        return debit and f"-{debit}"

    def _split_currency(self, row: _Row, amount: str) -> tuple[str, str]:
        if match := _CURRENCY_SUFFIX.fullmatch(amount):
            return match[1], match[2]
        return amount, self._cell(row, self._layout.currency) or self._currency

    def _texts(self, row: _Row) -> tuple[str, str]:
        """Return title and payer."""
        layout = self._layout
        if not layout.is_labelled:
            return self._first(row, layout.titles), self._first(row, layout.payers)
        parts = row.cells[self._columns[layout.titles[0]] :]
        titles = [match[1] for part in parts if (match := _TITLE_LABEL.fullmatch(part))]
        payers = [match[1] for part in parts if (match := _PAYER_LABEL.fullmatch(part))]
        return " ".join(titles or parts), " ".join(payers)

    def _first(self, row: _Row, names: Sequence[str]) -> str:
        return next((cell for name in names if (cell := self._cell(row, name))), "")

    def _cell(self, row: _Row, name: str) -> str:
        index = self._columns.get(name) if name else None
        return row.cells[index] if index is not None and index < len(row.cells) else ""


def _find_currency(preamble: Sequence[_Row]) -> str:
    """Return the currency in a cell below or beside the word, as mBank writes it."""
    is_next = False
    for row in preamble:
        names = [normalise_name(cell) for cell in row.cells]
        if is_next or "waluta" in names:
            for cell in row.cells:
                if match := _CURRENCY.fullmatch(cell):
                    return match[1]
        is_next = "waluta" in names
    return ""


def is_santander_account(cells: Sequence[str]) -> bool:
    """Whether a row is about an account: two dates, number, holder, currency, balances, count."""
    return (
        len(cells) >= _SANTANDER_COLUMNS
        and is_date(cells[0])
        and is_date(cells[1])
        and _CURRENCY.fullmatch(cells[4]) is not None
        and cells[7].isdigit()
    )


def _parse_santander(account: _Row, rows: Iterator[_Row]) -> Iterator[StatementEntry]:
    """Yield the entries: booking date, date, title, payer, account, amount, balance, number."""
    for row in rows:
        if len(row.cells) < _SANTANDER_COLUMNS:
            raise UnreadableStatementError(StatementProblem.INVALID_ROW, line=row.line)
        if is_santander_account(row.cells):
            account = row
            continue
        yield create_entry(
            line=row.line,
            booked_on=parse_date(row.cells[0], row.line),
            grosze=parse_amount(row.cells[5], row.line),
            currency=account.cells[4],
            payer=row.cells[3],
            title=row.cells[2],
        )
