"""Exports a company's or a driver's data as an archive, and records the export."""

import asyncio
from collections.abc import Sequence

from sqlalchemy import select

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.drivers.models import Driver
from prawko.invoices.rules import file_name
from prawko.kit.context import AppContext
from prawko.kit.dates import format_instant
from prawko.kit.errors import NotFoundError
from prawko.kit.text.i18n import Language, translate
from prawko.personal_data.archive import Archive
from prawko.personal_data.export_queries import (
    COMPANY_TABLES,
    DRIVER_TABLES,
    SELECT_INVOICE_FILES,
    ExportTable,
)
from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import DriverId, UserId
from prawko_tenants.sessions import TenantSession

MAX_CONCURRENT_EXPORTS = 2

ROW_BATCH_SIZE = 500
FILE_BATCH_SIZE = 20


class ExportSlots(FairSemaphore):
    """Limits the concurrent exports of this process to one per company; each holds a connection."""

    def __init__(self) -> None:
        super().__init__(MAX_CONCURRENT_EXPORTS, per_company=1)


class ExportService:
    """Exports the company that the session is bound to, for one of its members."""

    def __init__(
        self, context: AppContext, session: TenantSession, identity: Identity,
        client_info: ClientInfo, language: Language,
    ) -> None:  # fmt: skip
        self._slots = context.components.get(ExportSlots)
        self._session = session
        self._identity = identity
        self._client_info = client_info
        self._now = context.clock.now()
        self._exporter = DataExporter(context, session, language)

    async def export_company(self) -> Archive:
        """Return all of the company's data."""
        async with self._slots.slot(self._identity.tenant_id):
            archive = await self._exporter.export_company(self._identity.user_id)
            await self._record_export(archive, "company")
        return archive

    async def export_driver(self, driver_id: DriverId) -> Archive:
        """Return one driver's data. Raises NotFoundError."""
        async with self._slots.slot(self._identity.tenant_id):
            archive = await self._exporter.export_driver(driver_id)
            await self._record_export(archive, "driver", driver=driver_id)
        return archive

    async def _record_export(self, archive: Archive, scope: str, **details: DriverId) -> None:
        try:
            await record_event(
                self._session, AuditEvent.EXPORT_MADE, self._identity, self._client_info, self._now,
                about=scope, **details,
            )  # fmt: skip
        except BaseException:
            archive.close()
            raise


class DataExporter:
    """Builds archives of one company's data in the session's transaction.

    The session must be unused: the first statement fixes the snapshot.
    """

    def __init__(self, context: AppContext, session: TenantSession, language: Language) -> None:
        self._session = session
        self._key_ring = context.key_ring
        self._brand = context.settings.brand
        self._language = language
        self._now = context.clock.now()

    async def export_company(
        self, requester_id: UserId | None, tables: Sequence[ExportTable] = COMPANY_TABLES
    ) -> Archive:
        """Return all of the company's data.

        Phone numbers and IP addresses are those of the requester only; without one, of all members.
        """
        await self._begin_snapshot()
        return await self._build_archive(
            "company", tables, {"requester_id": requester_id}, include_files=True
        )

    async def export_driver(self, driver_id: DriverId) -> Archive:
        """Return all data of one driver. Raises NotFoundError."""
        await self._begin_snapshot()
        if await self._session.scalar(select(Driver.id).where(Driver.id == driver_id)) is None:
            raise NotFoundError
        return await self._build_archive("driver", DRIVER_TABLES, {"driver_id": driver_id})

    async def _build_archive(
        self,
        scope: str,
        tables: Sequence[ExportTable],
        filters: dict[str, object],
        *,
        include_files: bool = False,
    ) -> Archive:
        archive = Archive(self._now)
        try:
            readme = translate(
                f"personal_data.export.{scope}",
                self._language,
                brand=self._brand,
                at=format_instant(self._now, self._language),
            )
            archive.add_text("README.txt", f"{readme}\n")
            for table in tables:
                await self._write_table(archive, table, filters)
            if include_files:
                await self._add_invoice_files(archive)
            await asyncio.to_thread(archive.finish)
        except BaseException:
            archive.close()
            raise
        return archive

    async def _write_table(
        self, archive: Archive, table: ExportTable, filters: dict[str, object]
    ) -> None:
        rows = await self._session.stream(
            table.statement,
            {"tenant_id": self._session.tenant_id, "now": self._now, **filters},
            execution_options={"yield_per": ROW_BATCH_SIZE},
        )
        writer = archive.open_table(table.name, table.columns(rows.keys()))
        # Without a size, one partition would hold all rows.
        async for partition in rows.mappings().partitions(ROW_BATCH_SIZE):
            await asyncio.to_thread(
                writer.add_rows, (table.decrypt_row(self._key_ring, row) for row in partition)
            )
        await asyncio.to_thread(writer.finish)

    async def _add_invoice_files(self, archive: Archive) -> None:
        params = {"tenant_id": self._session.tenant_id}
        options = {"yield_per": FILE_BATCH_SIZE}
        rows = await self._session.stream(SELECT_INVOICE_FILES, params, execution_options=options)
        async for row in rows:
            name = f"invoices/{file_name(row.number, row.kind)}"
            await asyncio.to_thread(archive.add_file, name, row.content)

    async def _begin_snapshot(self) -> None:
        await self._session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
