"""Rows that a check by hand reads and holds."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import text

from prawko.hooks.licence_register import LicenceQuery
from prawko.verifications.answers import Kept
from prawko.verifications.questions import Asked
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

# The oldest drivers, by id, are those within the limit (reading R6).
_DRIVER = text("""
    SELECT d.document_no, d.first_name, d.last_name, d.license_number,
           (SELECT count(*) FROM driver o
             WHERE o.tenant_id = d.tenant_id AND o.id <= d.id) AS place
      FROM driver d WHERE d.tenant_id = :tenant_id AND d.id = :id
""")
_HOLD = text("""
    SELECT d.document_no, d.status, d.asked_at, a.id AS answer_id
      FROM driver d
      LEFT JOIN register_answer a ON a.tenant_id = d.tenant_id AND a.driver_id = d.id
       AND a.document_no = d.document_no AND a.hash = :hash
     WHERE d.tenant_id = :tenant_id AND d.id = :id
       FOR UPDATE OF d
""")
_WAS_MISSING = text("""
    SELECT EXISTS (SELECT FROM verification v
      JOIN register_answer a ON a.tenant_id = v.tenant_id AND a.driver_id = v.driver_id
       AND a.id = v.answer_id
      JOIN driver d ON d.tenant_id = v.tenant_id AND d.id = v.driver_id
     WHERE v.tenant_id = :tenant_id AND v.driver_id = :id AND v.outcome = 'not_found'
       AND a.document_no = :document_no AND v.verified_at > d.verified_at
       AND v.verified_at <= :before)
""")


class DriverToCheck(msgspec.Struct, frozen=True):
    """A driver as the check begins; `place` counts from one among the company's, oldest first."""

    document_no: int
    query: LicenceQuery
    place: int


class HeldDriver(msgspec.Struct, frozen=True):
    """A driver whose row is ours; `answer_id` is the same answer kept earlier."""

    document_no: int
    status: str
    asked_at: datetime | None
    answer_id: UUID | None


class ManualRepository:
    """One company's drivers, as a check by hand needs them."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def driver(self, driver_id: DriverId) -> DriverToCheck | None:
        """The driver to ask about; None where there is none."""
        found = await self._session.execute(
            _DRIVER, {"tenant_id": self._session.tenant_id, "id": driver_id}
        )
        row = found.one_or_none()
        if row is None:
            return None
        query = LicenceQuery(row.first_name, row.last_name, row.license_number)
        return DriverToCheck(row.document_no, query, row.place)

    async def hold(self, asked: Asked, kept: Kept) -> HeldDriver | None:
        """Hold the driver's row until the transaction ends; None where it has gone."""
        found = await self._session.execute(
            _HOLD, {"tenant_id": asked.tenant_id, "id": asked.driver_id, "hash": kept.hash}
        )
        row = found.one_or_none()
        if row is None:
            return None
        return HeldDriver(row.document_no, row.status, row.asked_at, row.answer_id)

    async def was_missing(self, asked: Asked, wait: timedelta) -> bool:
        """Whether the document was missing already, that long ago and ever since (reading R11)."""
        return bool(
            await self._session.scalar(
                _WAS_MISSING,
                {
                    "tenant_id": asked.tenant_id,
                    "id": asked.driver_id,
                    "document_no": asked.document_no,
                    "before": asked.at - wait,
                },
            )
        )
