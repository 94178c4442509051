"""Entries of a company about the episodes of its drivers."""

from datetime import datetime

from sqlalchemy import func, select

from prawko.drivers.models import Acknowledgement
from prawko.kit.database import Repository
from prawko_tenants.ids import AcknowledgementId, DriverId


class AcknowledgementRepository(Repository[Acknowledgement]):
    """Reads and adds the bound company's entries in the caller's transaction."""

    model_type = Acknowledgement

    async def get_entry(
        self, driver_id: DriverId, entry_id: AcknowledgementId
    ) -> Acknowledgement | None:
        """The driver's entry with this id."""
        return await self.session.scalar(
            select(Acknowledgement).where(
                Acknowledgement.driver_id == driver_id, Acknowledgement.id == entry_id
            )
        )

    async def count_entries(self, driver_id: DriverId, since: datetime) -> int:
        """Number of entries about the driver's episode that began at `since`."""
        query = select(func.count()).where(
            Acknowledgement.driver_id == driver_id, Acknowledgement.since == since
        )
        return (await self.session.scalars(query)).one()
