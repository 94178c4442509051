"""Previews tables of drivers, and adds rows of them in one transaction."""

import asyncio
import binascii
from base64 import b64decode
from codecs import BOM_UTF8
from collections.abc import Collection, Sequence
from contextlib import suppress

import msgspec

from prawko import limits
from prawko.drivers.errors import (
    MAX_BYTES,
    DriverLimitError,
    ImportProblem,
    InvalidImportError,
    LicenceTakenError,
    UnreadableImportError,
)
from prawko.drivers.import_schemas import (
    ColumnField,
    DriverImportIn,
    DriverImportOut,
    ImportColumnOut,
    ImportPreviewOut,
    ImportRowOut,
    ImportTableIn,
    RowProblemOut,
    RowState,
)
from prawko.drivers.import_validation import (
    ADDABLE,
    ImportRow,
    choose_columns,
    mark_existing,
    validate_rows,
)
from prawko.drivers.repository import DriverRepository, NewDriver
from prawko.drivers.service import throttle_documents
from prawko.drivers.table_columns import FIELDS, DriverTable
from prawko.drivers.table_reader import FileAnswer, read_text
from prawko.drivers.validation import sort_key
from prawko.kit.context import AppContext
from prawko.kit.documents.child_process import (
    ProcessDelayedError,
    ProcessFailedError,
    ProcessLimits,
    run_in_process,
)
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.text.i18n import Language, translate
from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession

MAX_CONCURRENT_IMPORTS = 2
READING_MODULE = "prawko.drivers.file_reader"
# A file of 10,000 rows and 25 columns takes half a second, on slow processors two, and 60 MB. Two
# of these processes and a panel have less than the memory of its container.
READING_LIMITS = ProcessLimits(
    seconds=20, processor_seconds=3, memory=160 * 1024**2, output=32 * 1024**2
)


class ImportSlots(FairSemaphore):
    """Limits the tables that this process reads, or has read, at a time."""

    def __init__(self) -> None:
        super().__init__(MAX_CONCURRENT_IMPORTS, per_company=1)


class DriverImportService:
    """Imports into the company that the session is bound to."""

    def __init__(self, context: AppContext, session: TenantSession) -> None:
        self._session = session
        self._context = context
        self._slots = context.components.get(ImportSlots)
        self._drivers = DriverRepository(session)

    async def preview(
        self, table: ImportTableIn, language: Language, driver_limit: int
    ) -> ImportPreviewOut:
        """Return the rows with their mistakes; writes nothing.

        Raises UnreadableImportError, InvalidImportError and ProcessDelayedError.
        """
        found, read = await self._read_rows(table)
        numbers = await self._drivers.list_licence_numbers()
        rows, ready = await asyncio.to_thread(_preview_rows, read, numbers, language)
        return ImportPreviewOut(
            columns=[
                ImportColumnOut(
                    heading=column.heading,
                    sample=column.sample,
                    field=ColumnField[column.field.upper()] if column.field else None,
                    is_guess=column.is_guess,
                )
                for column in found.columns
            ],
            rows=rows,
            ready=ready,
            driver_count=len(numbers),
            driver_limit=driver_limit,
        )

    async def add(
        self, table: DriverImportIn, created_by: UserId, driver_limit: int
    ) -> DriverImportOut:
        """Add the chosen rows, all or none; the register is queried later (docs/rules.md R12a).

        Raises UnreadableImportError, InvalidImportError, LicenceTakenError, DriverLimitError,
        TooManyRequestsError and ProcessDelayedError.
        """
        _, rows = await self._read_rows(table)
        drivers = await asyncio.to_thread(_choose_rows, rows, set(table.rows))
        # Before the session takes a connection.
        tenant_id = self._session.tenant_id
        await throttle_documents(self._context, tenant_id, driver_limit, len(drivers))
        await self._drivers.lock_company()
        count = await self._drivers.count() + len(drivers)
        if count > driver_limit:
            raise DriverLimitError
        now = self._context.clock.now()
        if await self._drivers.insert_many(drivers, created_by, now) != len(drivers):
            raise LicenceTakenError
        return DriverImportOut(added=len(drivers), driver_count=count)

    async def _read_rows(self, table: ImportTableIn) -> tuple[DriverTable, list[ImportRow]]:
        """Read the table; the request's session has taken no connection yet.

        A file that is refused costs the company more of its previews than a text, which is typed.
        """
        company = self._session.tenant_id
        async with self._slots.slot(company):
            if not table.content_base64:
                return await asyncio.to_thread(
                    lambda: _validate_table(read_text(table.text), table)
                )
            try:
                found = await read_file(table.content_base64)
            except UnreadableImportError:
                with suppress(TooManyRequestsError):
                    await self._context.throttle.hit(
                        limits.IMPORT_PREVIEWS, str(company), number=limits.REFUSED_FILE_COST
                    )
                raise
            return await asyncio.to_thread(_validate_table, found, table)


async def read_file(content_base64: str) -> DriverTable:
    """Return the table of a file, read in a process of its own.

    Raises UnreadableImportError, and ProcessDelayedError on a machine that is too busy.
    """
    try:
        content = b64decode(content_base64, validate=True)
    except (binascii.Error, ValueError):
        raise UnreadableImportError(ImportProblem.DAMAGED) from None
    if len(content) > MAX_BYTES:
        raise UnreadableImportError(ImportProblem.TOO_LARGE)
    if not content.removeprefix(BOM_UTF8).strip():
        raise UnreadableImportError(ImportProblem.EMPTY)
    try:
        output = await run_in_process(READING_MODULE, content, READING_LIMITS)
        answer = msgspec.json.decode(output, type=FileAnswer)
    except ProcessDelayedError:
        raise
    except (ProcessFailedError, msgspec.DecodeError):
        raise UnreadableImportError(ImportProblem.NOT_READ) from None
    if answer.table is None:
        raise UnreadableImportError(answer.problem or ImportProblem.NOT_READ)
    return answer.table


def _validate_table(
    found: DriverTable, table: ImportTableIn
) -> tuple[DriverTable, list[ImportRow]]:
    if table.columns is not None:
        fields = [column and column.name.lower() for column in table.columns]
        found = choose_columns(found, fields)
    corrections: dict[int, dict[str, str]] = {row.number: {} for row in found.rows}
    for one in table.corrections:
        field, corrected = one.field.name.lower(), corrections.get(one.row)
        if corrected is None or field not in FIELDS or field in corrected:
            raise InvalidImportError
        corrected[field] = one.text
    return found, validate_rows(found, corrections)


def _preview_rows(
    rows: Sequence[ImportRow], numbers: Collection[str], language: Language
) -> tuple[list[ImportRowOut], int]:
    marked = mark_existing(rows, numbers)
    ready = sum(row.state is RowState.READY for row in marked)
    return [_to_row_out(row, language) for row in marked], ready


def _choose_rows(rows: Sequence[ImportRow], chosen: Collection[int]) -> list[NewDriver]:
    found = [row for row in rows if row.number in chosen]
    if not found or len(found) != len(chosen) or any(row.state not in ADDABLE for row in found):
        raise InvalidImportError
    return [
        NewDriver(row.details, sort_key(row.details["first_name"], row.details["last_name"]))
        for row in found
    ]


def _to_row_out(row: ImportRow, language: Language) -> ImportRowOut:
    shown = row.texts | {
        name: " ".join(value) if isinstance(value, list) else value
        for name, value in row.details.items()
    }
    return ImportRowOut(
        row=row.number,
        state=row.state,
        cells=[] if row.state in (RowState.READY, RowState.SKIPPED) else row.cells,
        problems=[
            RowProblemOut(
                field=ColumnField[problem.field.upper()],
                column=problem.column,
                message=translate(
                    problem.text,
                    language,
                    row=problem.row,
                    **{f"{problem.field}_letter": problem.letter},
                ),
            )
            for problem in row.problems
        ],
        **{field: shown[field] for field in FIELDS},
    )
