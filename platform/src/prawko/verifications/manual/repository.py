"""Rows read and locked by a manual check."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text

from prawko.hooks.licence_register import LicenceQuery
from prawko.verifications.register.client import SentQuery
from prawko.verifications.results.answers import StoredAnswer
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

# The oldest drivers, by id, are within the limit (docs/rules.md R6).
_DRIVER = text("""
    SELECT d.document_version, d.first_name, d.last_name, d.license_number,
           (SELECT count(*) FROM driver o
             WHERE o.tenant_id = d.tenant_id AND o.id <= d.id) AS rank
      FROM driver d WHERE d.tenant_id = :tenant_id AND d.id = :id
""")
_LOCK_DRIVER = text("""
    SELECT d.document_version, d.status, d.asked_at_system, a.id AS answer_id
      FROM driver d
      LEFT JOIN register_answer a ON a.tenant_id = d.tenant_id AND a.driver_id = d.id
       AND a.document_version = d.document_version AND a.hash = :hash
     WHERE d.tenant_id = :tenant_id AND d.id = :id
       FOR UPDATE OF d
""")
_MISSING_SINCE = text("""
    SELECT min(v.verified_at) FROM verification v
      JOIN register_answer a ON a.tenant_id = v.tenant_id AND a.driver_id = v.driver_id
       AND a.id = v.answer_id
      JOIN driver d ON d.tenant_id = v.tenant_id AND d.id = v.driver_id
     WHERE v.tenant_id = :tenant_id AND v.driver_id = :id AND v.outcome = 'not_found'
       AND a.document_version = :document_version AND v.verified_at > d.verified_at
""")


class DriverToCheck(msgspec.Struct, frozen=True):
    """A driver before the check; `rank` is the position in the company, oldest first, from 1."""

    document_version: int
    query: LicenceQuery
    rank: int


class LockedDriver(msgspec.Struct, frozen=True):
    """A locked driver; `answer_id` is the id of the same answer if it is stored already."""

    document_version: int
    status: str
    asked_at_system: datetime | None
    answer_id: UUID | None


class ManualCheckRepository:
    """Drivers of the session's company, for a manual check."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def get_driver(self, driver_id: DriverId) -> DriverToCheck | None:
        """The driver to check; None if there is none."""
        rows = await self._session.execute(
            _DRIVER, {"tenant_id": self._session.tenant_id, "id": driver_id}
        )
        row = rows.one_or_none()
        if row is None:
            return None
        query = LicenceQuery(row.first_name, row.last_name, row.license_number)
        return DriverToCheck(row.document_version, query, row.rank)

    async def lock_driver(self, sent_query: SentQuery, answer: StoredAnswer) -> LockedDriver | None:
        """Lock the driver's row until the transaction ends; None if it was deleted."""
        rows = await self._session.execute(
            _LOCK_DRIVER,
            {"tenant_id": sent_query.tenant_id, "id": sent_query.driver_id, "hash": answer.hash},
        )
        row = rows.one_or_none()
        if row is None:
            return None
        return LockedDriver(row.document_version, row.status, row.asked_at_system, row.answer_id)

    async def get_missing_since(self, sent_query: SentQuery) -> datetime | None:
        """Time of the first check that did not find the document since it was last found."""
        since: datetime | None = await self._session.scalar(
            _MISSING_SINCE,
            {
                "tenant_id": sent_query.tenant_id,
                "id": sent_query.driver_id,
                "document_version": sent_query.document_version,
            },
        )
        return since
