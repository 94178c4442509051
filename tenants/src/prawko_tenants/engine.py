"""The doors of one process to the database.

Two ways lead in, under the same login and the same policies: sessions for work, and a
reader for the hot lists, where PostgreSQL builds the JSON and its bytes are handed on.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TypeVar

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from prawko_tenants.ids import TenantId
from prawko_tenants.reader import ReadDoor, Reader
from prawko_tenants.sessions import (
    BatchSession,
    DoorSession,
    OperatorSession,
    PlannerSession,
    SystemSession,
    TenantSession,
)
from prawko_tenants.urls import plain

_Session = TypeVar("_Session", bound=DoorSession)

# Just-in-time compilation costs more than every query of ours; the name shows in pg_stat_activity.
SERVER_SETTINGS = {"jit": "off", "application_name": "prawko"}
SECONDS_TO_CONNECT = 10
SECONDS_TO_WAIT_FOR_A_CONNECTION = 10


class NoLoginError(RuntimeError):
    """This process was not given the login it asks for."""

    def __init__(self, login: str) -> None:
        super().__init__(f"this process has no {login} login")


class Database:
    """Opens sessions; one per process.

    `url` is the process's own login (panel or worker). The planner's and the operators' doors
    open only where their URL is given: a process that holds the panel's login alone has no way
    to look across companies. Each door holds at most `pool_size` connections, and the reader
    as many again.
    """

    def __init__(
        self,
        url: str,
        *,
        planner_url: str | None = None,
        operator_url: str | None = None,
        pool_size: int = 8,
    ) -> None:
        self._engine = _engine(url, pool_size)
        self._planner = _engine(planner_url, 2) if planner_url else None
        self._operator = _engine(operator_url, pool_size) if operator_url else None
        self._reads = ReadDoor(plain(url), pool_size, SERVER_SETTINGS)

    @asynccontextmanager
    async def tenant(self, tenant_id: TenantId) -> AsyncGenerator[TenantSession]:
        """One transaction on one company's data: kept if the block ends well, else undone."""
        session = TenantSession(self._engine, expire_on_commit=False, info={"tenant_id": tenant_id})
        async with _one_transaction(session):
            yield session

    @asynccontextmanager
    async def system(self) -> AsyncGenerator[SystemSession]:
        """One transaction on what no company owns."""
        async with _one_transaction(SystemSession(self._engine, expire_on_commit=False)) as session:
            yield session

    @asynccontextmanager
    async def batch(self) -> AsyncGenerator[BatchSession]:
        """One transaction that turns from company to company with `bind`."""
        async with _one_transaction(BatchSession(self._engine, expire_on_commit=False)) as session:
            yield session

    @asynccontextmanager
    async def planner(self) -> AsyncGenerator[PlannerSession]:
        """One transaction of planning. Raises NoLoginError without the planner's login."""
        if self._planner is None:
            raise NoLoginError("planner")
        async with _one_transaction(
            PlannerSession(self._planner, expire_on_commit=False)
        ) as session:
            yield session

    @asynccontextmanager
    async def operator(self) -> AsyncGenerator[OperatorSession]:
        """One transaction of the console. Raises NoLoginError without the operators' login."""
        if self._operator is None:
            raise NoLoginError("operator")
        async with _one_transaction(
            OperatorSession(self._operator, expire_on_commit=False)
        ) as session:
            yield session

    def read(self, tenant_id: TenantId) -> Reader:
        """Read one company's rows as JSON, each time in a single statement."""
        return Reader(self._reads, tenant_id)

    async def fetch_global(self, sql: str, *args: object) -> asyncpg.Record | None:
        """Read one row of global tables; bound to no company, it sees no company's rows."""
        return await self._reads.fetch_row(sql, *args)

    async def close(self) -> None:
        """Close every connection."""
        await self._reads.close()
        for engine in (self._engine, self._planner, self._operator):
            if engine is not None:
                await engine.dispose()


@asynccontextmanager
async def _one_transaction(session: _Session) -> AsyncGenerator[_Session]:
    async with session:  # closing undoes what was not committed
        yield session
        await session.commit()
    await session.tell_it_is_kept()


def _engine(url: str, pool_size: int) -> AsyncEngine:
    dsn = plain(url)

    async def connect() -> asyncpg.Connection:
        return await asyncpg.connect(
            dsn, server_settings=SERVER_SETTINGS, timeout=SECONDS_TO_CONNECT
        )

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=SECONDS_TO_WAIT_FOR_A_CONNECTION,
    )
    event.listen(engine.sync_engine, "checkout", _refuse_a_dead_connection)
    return engine


def _refuse_a_dead_connection(
    connection: DBAPIConnection, _entry: ConnectionPoolEntry, _proxy: object
) -> None:
    # Costs nothing: asyncpg has noticed when the server hung up. A ping would be a round trip.
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError("the server hung up")
