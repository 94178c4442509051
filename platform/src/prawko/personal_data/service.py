"""Exports a company's data, with rate limits and audit events."""

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.kit.context import AppContext
from prawko.kit.text.i18n import Language
from prawko.personal_data.archive import Archive
from prawko.personal_data.export import DataExporter
from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

MAX_CONCURRENT_EXPORTS = 2


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
