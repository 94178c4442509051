"""Invoice numbers: one series per year, without gaps.

Per year rather than per month: one row to lock and one sequence to audit. If the seller issues
other invoices under the same tax id, these need a series of their own (`INVOICE_SERIES`): KSeF
refuses a duplicate number.
"""

from datetime import datetime

from prawko.kit.clock import warsaw_date


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
