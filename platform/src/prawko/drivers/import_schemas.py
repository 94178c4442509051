"""Request and response models of the import of drivers."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.drivers.errors import MAX_BYTES, MAX_ROWS
from prawko.drivers.table_columns import MAX_CELL_LENGTH, MAX_COLUMNS
from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints

MAX_CORRECTIONS = 1000
# Base64 of the largest file and, of an import, the numbers of all its rows.
MAX_IMPORT_BODY_BYTES = MAX_BYTES * 3 // 2


class RowState(StrEnum):
    """Whether a row can be added."""

    READY = "ready"
    DOUBTFUL = "doubtful"  # it can, if a person chooses it
    SKIPPED = "skipped"  # the sum of a table, no driver
    INVALID = "invalid"
    REPEATED = "repeated"  # an earlier row has the number
    EXISTING = "existing"  # a driver of the company has it


class ColumnField(StrEnum):
    """What a column contains; the last two are of a column with both names."""

    FIRST_NAME = "firstName"
    LAST_NAME = "lastName"
    LICENSE_NUMBER = "licenseNumber"
    NEEDED_CATEGORIES = "neededCategories"
    LAST_NAME_FIRST = "lastNameFirst"
    FIRST_NAME_FIRST = "firstNameFirst"


class CorrectionIn(RequestModel):
    """What a person wrote instead of a field of a row; of columns with both names, one of them."""

    row: int
    field: ColumnField
    text: Annotated[str, Meta(max_length=MAX_CELL_LENGTH)]


class ImportTableIn(RequestModel):
    """A pasted text or, in `contentBase64`, a file: XLSX or CSV, which its content tells.

    `columns`: what each column contains, as a person confirmed it; without it, it is found out.
    """

    text: str = ""
    content_base64: str = ""
    columns: Annotated[list[ColumnField | None], Meta(max_length=MAX_COLUMNS)] | None = None
    corrections: Annotated[list[CorrectionIn], Meta(max_length=MAX_CORRECTIONS)] = msgspec.field(
        default_factory=list
    )


class DriverImportIn(ImportTableIn, kw_only=True):
    """The table again, and the numbers of the rows to add."""

    rows: Annotated[list[int], Meta(max_length=MAX_ROWS)]


class RowProblemOut(ResponseModel):
    """A mistake; `column` counts from one, and is 0 if the table has no such column."""

    field: str
    column: int
    message: str


class ImportRowOut(ResponseModel):
    """A row of the table; fields without a mistake are as they would be stored.

    `cells` are the row's as they are in the table if it is not ready and no sum, else none.
    """

    row: int
    state: Annotated[str, openapi_constraints(enum=list(RowState))]
    first_name: str
    last_name: str
    license_number: str
    needed_categories: str
    cells: list[str]
    problems: list[RowProblemOut]


class ImportColumnOut(ResponseModel):
    """A column of the table, with the first cell that is not empty.

    `field` is what it was taken for, or null. `is_guess`: by its content or place, no heading.
    """

    heading: str
    sample: str
    field: ColumnField | None
    is_guess: bool


class ImportPreviewOut(ResponseModel):
    """The columns and rows of a table, and how many drivers the company has and may have."""

    columns: list[ImportColumnOut]
    rows: list[ImportRowOut]
    ready: int
    driver_count: int
    driver_limit: int


class DriverImportOut(ResponseModel):
    """How many drivers were added, and how many the company has now."""

    added: int
    driver_count: int
