"""The XLSX file with the columns of an import, to be filled in."""

from prawko.drivers.imports.row_validation import FIELDS
from prawko.drivers.xlsx_writer import write_xlsx
from prawko.kit.text.i18n import Language, translate


def create_template(language: Language) -> bytes:
    """Return a sheet with the names of the columns and no driver."""
    return write_xlsx([[translate(f"drivers.columns.{field}", language) for field in FIELDS]])
