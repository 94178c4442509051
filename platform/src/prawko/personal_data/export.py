"""Makes the archive of a company's or a driver's data, from one snapshot of the database."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from prawko.base.errors import NotFoundError
from prawko.base.secrets import Vault
from prawko.base.texts import Language, say
from prawko.deliveries.dates import instant
from prawko.invoices.numbering import file_name
from prawko.personal_data.archive import Archive
from prawko.personal_data.reading import INVOICE_FILES, IS_KNOWN, OF_A_COMPANY, OF_A_DRIVER, Table
from prawko_tenants.ids import DriverId, UserId
from prawko_tenants.sessions import TenantSession

ROWS_AT_ONCE = 500
FILES_AT_ONCE = 20


class Exporter:
    """Writes archives for one company, in the session's transaction.

    The session has not been used yet: the first statement fixes what all of them see.
    """

    def __init__(
        self, session: TenantSession, vault: Vault, *, brand: str, language: Language, now: datetime
    ) -> None:
        self._session = session
        self._vault = vault
        self._brand = brand
        self._language = language
        self._now = now

    async def company(self, me: UserId | None) -> Archive:
        """All of the company's data. `me` is who asks; None for an operator."""
        await self._see_one_snapshot()
        return await self._archive("company", OF_A_COMPANY, {"me": me}, files=True)

    async def driver(self, driver_id: DriverId) -> Archive:
        """All that is kept of one driver. Raises NotFoundError."""
        await self._see_one_snapshot()
        known = {"tenant_id": self._session.tenant_id, "id": driver_id}
        if not await self._session.scalar(IS_KNOWN, known):
            raise NotFoundError
        return await self._archive("driver", OF_A_DRIVER, {"driver_id": driver_id})

    async def _archive(
        self,
        about: str,
        tables: Sequence[Table],
        where: dict[str, object],
        *,
        files: bool = False,
    ) -> Archive:
        archive = Archive(self._now)
        try:
            words = say(
                f"personal_data.export.{about}",
                self._language,
                brand=self._brand,
                at=instant(self._now, self._language),
            )
            archive.add_text("README.txt", f"{words}\n")
            for table in tables:
                await self._write(archive, table, where)
            if files:
                await self._add_invoices(archive)
            await asyncio.to_thread(archive.finish)
        except BaseException:
            archive.close()
            raise
        return archive

    async def _write(self, archive: Archive, table: Table, where: dict[str, object]) -> None:
        asked = {"tenant_id": self._session.tenant_id, **where}
        named = {name: asked[name] for name in table.sql.compile().params}
        rows = await self._session.stream(
            table.sql, named, execution_options={"yield_per": ROWS_AT_ONCE}
        )
        writer = archive.table(table.name, table.columns(rows.keys()))
        # Without the number here, a partition is all there is.
        async for some in rows.mappings().partitions(ROWS_AT_ONCE):
            await asyncio.to_thread(writer.add, (table.plain(self._vault, row) for row in some))
        await asyncio.to_thread(writer.end)

    async def _add_invoices(self, archive: Archive) -> None:
        mine = {"tenant_id": self._session.tenant_id}
        options = {"yield_per": FILES_AT_ONCE}
        rows = await self._session.stream(INVOICE_FILES, mine, execution_options=options)
        async for row in rows:
            name = f"invoices/{file_name(row.number, row.kind)}"
            await asyncio.to_thread(archive.add_file, name, row.content)

    async def _see_one_snapshot(self) -> None:
        await self._session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
