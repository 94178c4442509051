"""Numbers of invoices: one series to a year, counted without a gap. Pure.

A year and not a month: one row to lock, one count to audit, and a number says when its invoice
was issued as well as the books need it. Whoever issues other invoices under the same tax id
gives these a series of their own (`INVOICE_SERIES`): the state's system refuses a number twice.
"""

from datetime import datetime

from prawko.base.clock import warsaw_day


def year_of(issued_at: datetime) -> int:
    """The year whose count an invoice belongs to: Warsaw's, like every date on it."""
    return warsaw_day(issued_at).year


def number(series: str, year: int, serial: int) -> str:
    """The number as people write it: `FV/2026/000001`. Serials count from one."""
    if serial < 1:
        raise ValueError(f"{serial} counts no invoice")
    return f"{series}/{year}/{serial:06}"


def file_name(invoice_number: str, ending: str) -> str:
    """What a file of that invoice is called, on every system: `FV-2026-000001.pdf`."""
    return f"{invoice_number.replace('/', '-')}.{ending}"
