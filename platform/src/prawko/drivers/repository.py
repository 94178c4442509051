"""Repositories of drivers and acknowledgements, the count of drivers, and how fresh a list is."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from sqlalchemy import delete, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from prawko.drivers.models import Acknowledgement, Driver, ranked_driver
from prawko.drivers.needed_categories import CategoryProblem, category_name
from prawko.drivers.validation import DriverFields
from prawko.kit.database import Repository
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.models import Notice
from prawko.notifications.payloads import CategoryPayload
from prawko_tenants.ids import DriverId, UserId, new_id
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession


class Freshness(NamedTuple):
    """Ages of drivers' results: numbers of drivers, checked and stale ones, and the oldest."""

    total: int
    checked: int
    stale: int
    oldest: datetime | None


class NewDriver(NamedTuple):
    """A driver to insert, with the sort key of the name."""

    values: DriverFields
    sort_key: str


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
        self, values: DriverFields, sort_key: str, created_by: UserId, now: datetime
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

    async def insert_many(
        self, drivers: Sequence[NewDriver], created_by: UserId, now: datetime
    ) -> int:
        """Insert drivers; returns how many had a number that the company had not."""
        rows = [
            {
                "tenant_id": self._session.tenant_id,
                "id": new_id(),
                **driver.values,
                "sort_key": driver.sort_key,
                "created_at": now,
                "imported_at": now,
                "created_by": created_by,
            }
            for driver in drivers
        ]
        statement = insert(Driver).on_conflict_do_nothing(
            index_elements=[Driver.tenant_id, Driver.license_number]
        )
        return len((await self._session.scalars(statement.returning(Driver.id), rows)).all())

    async def list_licence_numbers(self) -> set[str]:
        """The licence numbers of the company's drivers."""
        return set(await self._session.scalars(select(Driver.license_number)))

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

    async def lock_many(self, driver_ids: Collection[DriverId]) -> list[DriverId]:
        """Lock drivers until the transaction ends; returns those there are."""
        # In one order, so that two such statements wait for each other and do not deadlock.
        locked = select(Driver.id).where(Driver.id.in_(driver_ids)).order_by(Driver.id)
        return [DriverId(one) for one in await self._session.scalars(locked.with_for_update())]

    async def lock_rows(self, driver_ids: Collection[DriverId]) -> Sequence[Driver]:
        """The drivers there are, locked as `lock_many` does."""
        locked = select(Driver).where(Driver.id.in_(driver_ids)).order_by(Driver.id)
        return (await self._session.scalars(locked.with_for_update())).all()

    async def list_notified_problems(
        self, driver_ids: Collection[UUID]
    ) -> Mapping[UUID, list[CategoryProblem]]:
        """Return each driver's expired needed categories that were notified of (R9a)."""
        query = select(Notice.driver_id, Notice.params).where(
            Notice.driver_id.in_(driver_ids), Notice.kind == NoticeKind.CATEGORY_INVALID
        )
        found = defaultdict[UUID, list[CategoryProblem]](list)
        for driver_id, params in await self._session.execute(query):
            payload = msgspec.convert(params, CategoryPayload)
            found[driver_id] += [
                CategoryProblem(category_name(expiry.category), expiry.on)
                for expiry in payload.expiries
            ]
        return found

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

    async def delete_drivers(self, driver_ids: Collection[DriverId]) -> list[DriverId]:
        """Delete drivers with everything that refers to them; returns those there were."""
        found = await self.lock_many(driver_ids)
        await self._session.execute(delete(Driver).where(Driver.id.in_(found)))
        return found


class AcknowledgementRepository(Repository[Acknowledgement]):
    """Entries of the session's company about the episodes of its drivers."""

    model_type = Acknowledgement

    async def add_entries(self, entries: Collection[Acknowledgement]) -> None:
        """Add entries of different episodes, each after those that the episode has."""
        if not entries:
            return
        numbers = select(Acknowledgement.driver_id, Acknowledgement.since, func.count())
        episodes = tuple_(Acknowledgement.driver_id, Acknowledgement.since)
        numbers = numbers.where(episodes.in_([(one.driver_id, one.since) for one in entries]))
        rows = await self.session.execute(numbers.group_by(*episodes.clauses))
        earlier = {(driver_id, since): number for driver_id, since, number in rows}
        for one in entries:
            one.entry = 1 + earlier.get((one.driver_id, one.since), 0)
        await self.add_many([*entries])


class SqlDriverCounter:
    """Counts the drivers of a company."""

    async def count(self, session: TenantSession) -> int:
        """Number of the company's drivers."""
        return await DriverRepository(session).count()
