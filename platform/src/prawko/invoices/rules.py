"""The numbers of invoices, and how long invoices are retained. Pure.

A series has one number for each invoice of a year, without gaps. Per year rather than per month:
one row to lock and one sequence to audit. If the seller issues other invoices under the same tax
id, these need a series of their own (`INVOICE_SERIES`): KSeF refuses a duplicate number.

Invoices are retained for five years from the end of the year in which their tax was due (Tax
Ordinance Act, article 86; VAT Act, article 112). It is due in the month after, so a December's
invoice counts for the year that follows.
"""

from datetime import date, datetime

from prawko.kit.clock import warsaw_date

RETENTION_YEARS = 5


def invoice_year(issued_at: datetime) -> int:
    """The Warsaw year whose series an invoice belongs to."""
    return warsaw_date(issued_at).year


def format_number(series: str, year: int, serial: int) -> str:
    """The number of an invoice, such as `FV/2026/000001`. Raises ValueError below serial 1."""
    if serial < 1:
        raise ValueError(f"{serial} is no serial of an invoice")
    return f"{series}/{year}/{serial:06}"


def parse_number(number: str) -> tuple[str, int, int]:
    """Series, year and serial of an invoice number. Raises ValueError for another text."""
    series, _, rest = number.partition("/")
    year, _, serial = rest.partition("/")
    if not (series and year.isdecimal() and serial.isdecimal()):
        raise ValueError(f"{number!r} is no invoice number such as FV/2026/000001")
    return series, int(year), int(serial)


def file_name(invoice_number: str, extension: str) -> str:
    """The file name for an invoice number, such as `FV-2026-000001.pdf`."""
    return f"{invoice_number.replace('/', '-')}.{extension}"


def retention_cutoff(now: datetime) -> date:
    """The earliest date of issue whose invoices are still retained."""
    return date(warsaw_date(now).year - RETENTION_YEARS - 1, 12, 1)
