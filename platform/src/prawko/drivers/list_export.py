"""The list of drivers as a table of texts, for CSV and XLSX. Pure."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum

import msgspec

from prawko.drivers.group_rules import DriverGroup, groups_of, needed_problems, search_drivers
from prawko.drivers.models import Outcome
from prawko.drivers.schemas import DriverSummaryOut
from prawko.drivers.xlsx_writer import write_xlsx
from prawko.kit.dates import format_instant
from prawko.kit.text.csv_cells import BYTE_ORDER_MARK, escape_formula
from prawko.kit.text.i18n import Language, translate

SEPARATOR = ";"  # by which a Polish spreadsheet separates
_COLUMNS = (
    "first_name",
    "last_name",
    "license_number",
    "needed_categories",
    "status",
    "document_status",
    "expiry_date",
    "categories",
    "last_verification",
)


class TableFormat(StrEnum):
    """The format of an exported table."""

    CSV = "csv"
    XLSX = "xlsx"


def export_list(
    drivers: bytes, format_: TableFormat, group: DriverGroup, query: str, day: date,
    language: Language,
) -> tuple[bytes, int]:  # fmt: skip
    """Return the file of the drivers that a list shows, from its JSON, and their number."""
    listed = msgspec.json.decode(drivers, type=list[DriverSummaryOut])
    shown = [one for one in search_drivers(listed, query) if group in groups_of(one, day)]
    rows = [
        [translate(f"drivers.columns.{name}", language) for name in _COLUMNS],
        *(_to_cells(driver, day, language) for driver in shown),
    ]
    content = write_xlsx(rows) if format_ is TableFormat.XLSX else _write_csv(rows)
    return content, len(shown)


def _write_csv(rows: Iterable[Sequence[str]]) -> bytes:
    """Return the rows as CSV; no cell is a formula, for any separator of a spreadsheet."""
    text = io.StringIO(newline="")
    text.write(BYTE_ORDER_MARK)
    csv.writer(text, delimiter=SEPARATOR).writerows(map(escape_formula, row) for row in rows)
    return text.getvalue().encode()


def _to_cells(driver: DriverSummaryOut, day: date, language: Language) -> list[str]:
    latest = driver.verifications[0] if driver.verifications else None
    identity = [
        driver.first_name,
        driver.last_name,
        driver.license_number,
        ", ".join(driver.needed_categories),
        translate(f"drivers.status.{_status(driver, day)}", language),
    ]
    if latest is None:
        return [*identity, "", "", "", ""]
    categories = (
        one.kategoria if one.data_waznosci is None else f"{one.kategoria} ({one.data_waznosci})"
        for one in latest.categories
    )
    return [
        *identity,
        latest.document_status or "",
        "" if latest.expiry_date is None else latest.expiry_date.isoformat(),
        ", ".join(categories),
        format_instant(latest.verified_at, language),
    ]


def _status(driver: DriverSummaryOut, day: date) -> str:
    """The outcome as it holds on the day, that of a needed category included."""
    if not driver.verifications:
        return driver.status
    status = driver.verifications[0].status
    is_valid = DriverGroup.VALID in groups_of(driver, day)
    if status == Outcome.VALID and (not is_valid or needed_problems(driver, day)):
        return Outcome.ATTENTION
    return status
