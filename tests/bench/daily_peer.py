"""The peer of the daily check: one job per driver on SAQ, and SQLAlchemy's ORM.

As most would write it: the job loads the driver, asks the register, adds a verification, and
a notification and a mail's job when the status is another. python -m ... DRIVERS.
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
from tests.bench.carrier import carriers

from prawko.base.start import open_tools
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


def in_words(state: str) -> str:
    return {"Wydany": "valid", "Zatrzymany": "invalid"}.get(state, "attention")


async def check_driver(context: dict[str, Any], *, driver_id: str) -> None:
    """One driver."""
    sessions, register = context["sessions"], context["register"]
    async with sessions() as session:
        driver = await session.get(Driver, UUID(driver_id))
        query = LicenceQuery(driver.first_name, driver.last_name, driver.license_number)
        answer = await register.look_up(query)
        status = in_words(answer.state.text)
        now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
        session.add(
            Verification(driver_id=driver.id, verified_at=now, status=status, response=answer.raw)
        )
        if status != driver.status:
            if status != "valid":
                session.add(Notification(driver_id=driver.id, title=f"{driver.last_name} {status}"))
            driver.status = status
        await session.commit()


async def prepare(sessions: async_sessionmaker[AsyncSession], drivers: int) -> list[str]:
    """The drivers, in tables of the peer's own."""
    async with sessions() as session:
        connection = await session.connection()
        await connection.run_sync(Base.metadata.drop_all)
        await connection.run_sync(Base.metadata.create_all)
        for n in range(drivers):
            first_name, last_name = fleet.name(n)
            session.add(
                Driver(
                    id=uuid_utils.compat.uuid7(),
                    tenant_id=uuid_utils.compat.uuid7(),
                    first_name=first_name,
                    last_name=last_name,
                    license_number=fleet.number(n),
                )
            )
        await session.commit()
        return [str(found) for found in await session.scalars(select(Driver.id))]


async def main(drivers: int) -> None:
    """Check so many; the jobs stand in the queue before the time begins."""
    tools = open_tools(os.environ, extra_plugins=carriers())
    url = os.environ["BENCH_URL"].replace("postgresql:", "postgresql+asyncpg:")
    engine = create_async_engine(url, pool_size=16)
    sessions = async_sessionmaker(engine, expire_on_commit=False)
    queue = RedisQueue(Redis.from_url(os.environ["REDIS_URL"]), name="peer")
    for driver_id in await prepare(sessions, drivers):
        await queue.enqueue(saq.Job("check_driver", kwargs={"driver_id": driver_id}, timeout=60))
    register = tools.plugins.register(tools.settings.register)

    async def lay_out(context: Any) -> None:
        context.update(sessions=sessions, register=register)

    jobs = [("check_driver", check_driver)]
    worker = Worker(queue, functions=jobs, concurrency=CONCURRENCY, startup=lay_out)
    started, busy = time.perf_counter(), time.process_time()
    working = asyncio.create_task(worker.start())
    async with sessions() as session:
        while await session.scalar(select(func.count()).select_from(Verification)) < drivers:
            await session.rollback()
            await asyncio.sleep(0.1)
    product.say(drivers, time.perf_counter() - started, time.process_time() - busy)
    working.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
