"""Rows of manual checks and confirmations; those of the daily check are read in `daily`."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import Row, Select, func, select

from prawko.drivers.models import (
    Driver,
    Outcome,
    ranked_driver,
)
from prawko.drivers.queries import get_driver_json
from prawko.drivers.schemas import (
    DriverSummaryOut,
    VerificationOut,
)
from prawko.kit.errors import NotFoundError
from prawko.verifications.answers import is_answer_of, stored_verification_out
from prawko.verifications.decision import LockedDriver
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.register.check_tasks import SentQuery
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession


class ManualCheckRepository:
    """Drivers of the session's company, for a manual check."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def get_ranked_driver(self, driver_id: DriverId) -> Row[Driver, int] | None:
        """The driver and its rank in the company; None if there is none."""
        statement = (
            select(Driver, ranked_driver.c.rank)
            .join(ranked_driver, ranked_driver.c.id == Driver.id)
            .where(Driver.id == driver_id)
        )
        return (await self._session.execute(statement)).one_or_none()

    async def lock_driver(self, driver_id: DriverId, answer_hash: bytes) -> LockedDriver | None:
        """Lock the driver's row until the transaction ends; None if it was deleted.

        `answer_id` is the id of the answer with this hash if it is stored already.
        """
        statement = (
            select(
                Driver.document_version,
                Driver.status,
                Driver.valid_until,
                Driver.asked_at_system,
                Driver.needed_categories,
                RegisterAnswer.id,
                Driver.latest,
            )
            .outerjoin(
                RegisterAnswer,
                (RegisterAnswer.driver_id == Driver.id)
                & (RegisterAnswer.document_version == Driver.document_version)
                & (RegisterAnswer.hash == answer_hash),
            )
            .where(Driver.id == driver_id)
            .with_for_update(of=Driver)
        )
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else LockedDriver(*row)

    async def get_missing_since(self, query: SentQuery) -> datetime | None:
        """Time of the first check that did not find the document since it was last found."""
        return await self._session.scalar(
            select(func.min(Verification.verified_at))
            .join(RegisterAnswer, is_answer_of(Verification))
            .join(Driver, Driver.id == Verification.driver_id)
            .where(
                Verification.driver_id == query.driver_id,
                Verification.outcome == Outcome.NOT_FOUND,
                Verification.verified_at > Driver.verified_at,
                RegisterAnswer.document_version == query.document_version,
            )
        )


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

    async def load_driver(self, now: datetime) -> DriverSummaryOut:
        """The driver as a list shows it."""
        body = await get_driver_json(self._session, self._driver_id, now)
        return msgspec.json.decode(body, type=DriverSummaryOut)

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
