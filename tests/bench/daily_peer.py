"""The peer of the daily check: one SAQ job per driver, with SQLAlchemy's ORM.

The usual way: the job loads the driver, queries the register and adds a verification, and a
notification when the status has changed. python -m ... DRIVERS.
"""

import asyncio
import datetime as dt
import os
import sys
import time
from typing import Any
from uuid import UUID

import saq
import uuid_utils.compat
from redis.asyncio import Redis
from saq.queue.redis import RedisQueue
from saq.worker import Worker
from sqlalchemy import ForeignKey, func, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from tests.bench import fleet, product
from tests.bench.null_channel import channel_plugins

from prawko.apps.composition_root import create_context
from prawko.hooks.licence_register import LicenceQuery

CONCURRENCY = 32


class Base(DeclarativeBase):
    pass


class Driver(Base):
    __tablename__ = "peer_driver"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    tenant_id: Mapped[UUID]
    first_name: Mapped[str]
    last_name: Mapped[str]
    license_number: Mapped[str]
    status: Mapped[str] = mapped_column(default="unknown")


class Verification(Base):
    __tablename__ = "peer_check"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid_utils.compat.uuid7)
    driver_id: Mapped[UUID] = mapped_column(ForeignKey("peer_driver.id"), index=True)
    verified_at: Mapped[dt.datetime] = mapped_column(index=True)
    status: Mapped[str]
    response: Mapped[dict[str, Any]] = mapped_column(JSONB)


class Notification(Base):
    __tablename__ = "peer_notification"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid_utils.compat.uuid7)
    driver_id: Mapped[UUID] = mapped_column(ForeignKey("peer_driver.id"), index=True)
    title: Mapped[str]


def to_status(state: str) -> str:
    return {"Wydany": "valid", "Zatrzymany": "invalid"}.get(state, "attention")


async def check_driver(context: dict[str, Any], *, driver_id: str) -> None:
    """Check one driver."""
    sessions, register = context["sessions"], context["register"]
    async with sessions() as session:
        driver = await session.get(Driver, UUID(driver_id))
        query = LicenceQuery(driver.first_name, driver.last_name, driver.license_number)
        answer = await register.look_up(query)
        status = to_status(answer.state.text)
        now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
        session.add(
            Verification(driver_id=driver.id, verified_at=now, status=status, response=answer.raw)
        )
        if status != driver.status:
            if status != "valid":
                session.add(Notification(driver_id=driver.id, title=f"{driver.last_name} {status}"))
            driver.status = status
        await session.commit()


async def insert_drivers(sessions: async_sessionmaker[AsyncSession], drivers: int) -> list[str]:
    """Create the peer's tables and drivers; return the drivers' ids."""
    async with sessions() as session:
        connection = await session.connection()
        await connection.run_sync(Base.metadata.drop_all)
        await connection.run_sync(Base.metadata.create_all)
        for n in range(drivers):
            first_name, last_name = fleet.driver_name(n)
            session.add(
                Driver(
                    id=uuid_utils.compat.uuid7(),
                    tenant_id=uuid_utils.compat.uuid7(),
                    first_name=first_name,
                    last_name=last_name,
                    license_number=fleet.licence_number(n),
                )
            )
        await session.commit()
        return [str(driver_id) for driver_id in await session.scalars(select(Driver.id))]


async def main(drivers: int) -> None:
    """Check so many drivers and print the measurement; jobs are enqueued before it starts."""
    context = create_context(os.environ, extra_plugins=channel_plugins())
    url = os.environ["BENCH_URL"].replace("postgresql:", "postgresql+asyncpg:")
    engine = create_async_engine(url, pool_size=16)
    sessions = async_sessionmaker(engine, expire_on_commit=False)
    queue = RedisQueue(Redis.from_url(os.environ["REDIS_URL"]), name="peer")
    for driver_id in await insert_drivers(sessions, drivers):
        await queue.enqueue(saq.Job("check_driver", kwargs={"driver_id": driver_id}, timeout=60))
    [register] = context.plugins.get_registers(context.settings.register_names)

    async def set_up(context: Any) -> None:
        context.update(sessions=sessions, register=register)

    jobs = [("check_driver", check_driver)]
    worker = Worker(queue, functions=jobs, concurrency=CONCURRENCY, startup=set_up)
    started, cpu_before = time.perf_counter(), time.process_time()
    running = asyncio.create_task(worker.start())
    async with sessions() as session:
        while await session.scalar(select(func.count()).select_from(Verification)) < drivers:
            await session.rollback()
            await asyncio.sleep(0.1)
    product.print_measurement(
        drivers, time.perf_counter() - started, time.process_time() - cpu_before
    )
    running.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
