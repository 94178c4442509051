"""Reads the verifications that a confirmation shows, with the queried names."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import Row, Select, select

from prawko.drivers.models import Driver
from prawko.drivers.schemas import VerificationOut
from prawko.kit.errors import NotFoundError
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.results.answers import is_answer_of, stored_verification_out
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession


class RecordedCheck(msgspec.Struct, frozen=True):
    """A verification, and the name of the person whose document was queried."""

    verification: VerificationOut
    name: str


class RecordedChecks:
    """One driver's verifications in the caller's transaction, bound to a company."""

    def __init__(self, session: TenantSession, driver_id: DriverId) -> None:
        self._session = session
        self._driver_id = driver_id

    async def find(self, verification_id: UUID) -> RecordedCheck:
        """Return one of the driver's verifications. Raises NotFoundError."""
        rows = await self._session.execute(self._select().where(Verification.id == verification_id))
        row = rows.one_or_none()
        if row is None:
            raise NotFoundError
        return _to_check(row)

    async def list_between(
        self, since: datetime, before: datetime, limit: int
    ) -> list[RecordedCheck]:
        """Return the driver's verifications from `since` on and before `before`, oldest first."""
        rows = await self._session.execute(
            self._select()
            .where(Verification.verified_at >= since, Verification.verified_at < before)
            .order_by(Verification.verified_at)
            .limit(limit)
        )
        return [_to_check(row) for row in rows]

    async def load_person(self) -> tuple[str, str]:
        """Return the driver's present name and licence number. Raises NotFoundError."""
        rows = await self._session.execute(
            select(Driver.first_name, Driver.last_name, Driver.license_number).where(
                Driver.id == self._driver_id
            )
        )
        row = rows.one_or_none()
        if row is None:
            raise NotFoundError
        return f"{row.first_name} {row.last_name}", row.license_number

    def _select(self) -> Select[Verification, RegisterAnswer]:
        return (
            select(Verification, RegisterAnswer)
            .join(RegisterAnswer, is_answer_of(Verification))
            .where(Verification.driver_id == self._driver_id)
        )


def _to_check(row: Row[Verification, RegisterAnswer]) -> RecordedCheck:
    verification, answer = row
    return RecordedCheck(
        stored_verification_out(verification, answer), f"{answer.first_name} {answer.last_name}"
    )
