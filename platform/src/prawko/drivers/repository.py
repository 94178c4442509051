"""Repository of drivers."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from prawko.drivers.models import Driver, ranked_driver
from prawko_tenants.ids import DriverId, UserId, new_id
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession


class Freshness(NamedTuple):
    """Ages of drivers' results: numbers of drivers, checked and stale ones, and the oldest."""

    total: int
    checked: int
    stale: int
    oldest: datetime | None


class DriverRepository:
    """Drivers of the session's company."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def lock_company(self) -> None:
        """Lock the company's row until the transaction ends, to serialise additions of drivers.

        FOR NO KEY UPDATE: inserts that only refer to the company, as checks do, are not blocked.
        """
        await self._session.execute(select(Tenant.id).with_for_update(key_share=True))

    async def insert(
        self, values: dict[str, str], sort_key: str, created_by: UserId, now: datetime
    ) -> DriverId | None:
        """Insert a driver and return its id; None if the company has one with this number."""
        driver_id = await self._session.scalar(
            insert(Driver)
            .values(
                tenant_id=self._session.tenant_id,
                id=new_id(),
                **values,
                sort_key=sort_key,
                created_at=now,
                created_by=created_by,
            )
            .on_conflict_do_nothing(index_elements=[Driver.tenant_id, Driver.license_number])
            .returning(Driver.id)
        )
        return None if driver_id is None else DriverId(driver_id)

    async def count(self) -> int:
        """Number of the company's drivers."""
        return (await self._session.scalars(select(func.count()).select_from(Driver))).one()

    async def load_freshness(self, limit: int | None, stale_before: datetime) -> Freshness:
        """Ages of the results of the drivers within the limit, None meaning all drivers."""
        counts = select(
            func.count(),
            func.count(Driver.verified_at),
            func.count().filter(Driver.verified_at < stale_before),
            func.min(Driver.verified_at),
        )
        if limit is not None:
            counts = counts.join(ranked_driver, ranked_driver.c.id == Driver.id).where(
                ranked_driver.c.rank <= limit
            )
        return Freshness(*(await self._session.execute(counts.select_from(Driver))).one())

    async def lock(self, driver_id: DriverId) -> Driver | None:
        """The driver, locked until the transaction ends; None if there is none."""
        query = select(Driver).where(Driver.id == driver_id).with_for_update()
        return await self._session.scalar(query)

    async def flush_changes(self) -> bool:
        """Flush changed drivers; False if another driver of the company has the licence number."""
        try:
            await self._session.flush()
        except IntegrityError:
            return False
        return True

    async def delete(self, driver_id: DriverId) -> bool:
        """Delete a driver with everything that refers to it; False if there is none."""
        statement = delete(Driver).where(Driver.id == driver_id).returning(Driver.id)
        return await self._session.scalar(statement) is not None


class SqlDriverCounter:
    """Counts the drivers of a company."""

    async def count(self, session: TenantSession) -> int:
        """Number of the company's drivers."""
        return await DriverRepository(session).count()
