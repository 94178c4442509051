"""Request and response models of an import."""

from typing import Annotated

from msgspec import Meta

from prawko.drivers.imports.errors import MAX_ROWS
from prawko.drivers.imports.files import MAX_BYTES
from prawko.drivers.imports.row_validation import RowState
from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints

# Base64 of the largest file and, of an import, the numbers of all its rows.
MAX_IMPORT_BODY_BYTES = MAX_BYTES * 3 // 2
StateText = Annotated[str, openapi_constraints(enum=[state.value for state in RowState])]


class ImportTableIn(RequestModel):
    """A pasted text or, in `contentBase64`, a file: XLSX or CSV, which its content tells."""

    text: str = ""
    content_base64: str = ""


class DriverImportIn(ImportTableIn, kw_only=True):
    """The table again, and the numbers of the rows to add."""

    rows: Annotated[list[int], Meta(max_length=MAX_ROWS)]


class RowProblemOut(ResponseModel):
    """A mistake; `column` counts from one, and is 0 if the table has no such column."""

    field: str
    column: int
    message: str


class ImportRowOut(ResponseModel):
    """A row of the table; fields without a mistake are as they would be stored."""

    row: int
    state: StateText
    first_name: str
    last_name: str
    license_number: str
    needed_categories: str
    problems: list[RowProblemOut]


class ImportPreviewOut(ResponseModel):
    """The rows of a table, and how many drivers the company has and may have."""

    rows: list[ImportRowOut]
    ready: int
    driver_count: int
    driver_limit: int


class DriverImportOut(ResponseModel):
    """How many drivers were added, and how many the company has now."""

    added: int
    driver_count: int
