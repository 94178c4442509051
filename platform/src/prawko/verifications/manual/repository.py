"""Rows read and locked by a manual check."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, select

from prawko.drivers.models import Driver, Outcome, ranked_driver
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.register.client import SentQuery
from prawko.verifications.results.answers import is_answer_of
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

    async def lock_driver(
        self, driver_id: DriverId, answer_hash: bytes
    ) -> Row[int, str, date | None, datetime | None, list[str], dict[str, Any] | None, UUID] | None:
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
                Driver.latest,
                RegisterAnswer.id.label("answer_id"),
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
        return (await self._session.execute(statement)).one_or_none()

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
