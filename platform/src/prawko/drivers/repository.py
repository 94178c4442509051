"""Rows of drivers."""

from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from prawko.drivers.models import Driver
from prawko_tenants.company import Tenant
from prawko_tenants.ids import DriverId, UserId, new_id
from prawko_tenants.sessions import TenantSession


class DriverRepository:
    """One company's drivers."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def hold_company(self) -> None:
        """Let nobody else who asks for this add a driver before our transaction has ended.

        Rows that only point at the company (every check writes some) do not wait.
        """
        await self._session.execute(select(Tenant.id).with_for_update(key_share=True))

    async def add(
        self, details: dict[str, str], sort_key: str, by: UserId, now: datetime
    ) -> DriverId | None:
        """Write a new driver; None where the company has one with this number."""
        added = await self._session.scalar(
            insert(Driver)
            .values(
                tenant_id=self._session.tenant_id,
                id=new_id(),
                **details,
                sort_key=sort_key,
                created_at=now,
                created_by=by,
            )
            .on_conflict_do_nothing(index_elements=[Driver.tenant_id, Driver.license_number])
            .returning(Driver.id)
        )
        return None if added is None else DriverId(added)

    async def count(self) -> int:
        """How many drivers the company has."""
        return (await self._session.scalars(select(func.count()).select_from(Driver))).one()

    async def hold(self, driver_id: DriverId) -> Driver | None:
        """A driver, held until the end of the transaction; None where there is none."""
        held = select(Driver).where(Driver.id == driver_id).with_for_update()
        return await self._session.scalar(held)

    async def write(self) -> bool:
        """Write changed drivers out; False where the number belongs to another of the company."""
        try:
            await self._session.flush()
        except IntegrityError:
            return False
        return True

    async def remove(self, driver_id: DriverId) -> bool:
        """Delete a driver and all that hangs on it; False where there is none."""
        gone = delete(Driver).where(Driver.id == driver_id).returning(Driver.id)
        return await self._session.scalar(gone) is not None
