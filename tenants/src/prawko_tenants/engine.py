"""Connection pools of a process: SQLAlchemy sessions, and a reader for hot lists.

Both use the same login and are subject to the same policies. The reader lets PostgreSQL build
the JSON and passes its bytes on.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import TypeVar

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from prawko_tenants.ids import TenantId
from prawko_tenants.pools import CountingPool, PoolUse
from prawko_tenants.reader import (
    READ_SECONDS,
    SELECT_SCHEMA_VERSION,
    SELECT_TIME,
    Reader,
    ReadPool,
)
from prawko_tenants.sessions import (
    BatchSession,
    HotStatement,
    OperatorSession,
    PlannerSession,
    SystemSession,
    TenantAwareSession,
    TenantSession,
)
from prawko_tenants.urls import to_asyncpg_dsn

_Session = TypeVar("_Session", bound=TenantAwareSession)

# For pg_stat_activity. Other settings are the login's (logins): poolers refuse them here.
SERVER_SETTINGS = {"application_name": "prawko"}
CONNECT_TIMEOUT_SECONDS = 10
POOL_TIMEOUT_SECONDS = 10
# The server ends a statement at its login's limit (logins.LOGIN_TIMEOUTS); these end it when the
# server's host has fallen silent.
PANEL_STATEMENT_SECONDS = 35
STATEMENT_SECONDS = 65
PLANNER_STATEMENT_SECONDS = 305


class MissingLoginError(RuntimeError):
    """The process has no URL for a database login it needs."""

    def __init__(self, login: str) -> None:
        super().__init__(f"this process has no {login} login")


class Database:
    """Opens sessions; one per process.

    `url` is the process's own login (panel, worker or console). The planner's and the operators'
    logins are optional: a process with the panel's login alone cannot read across companies; of
    the console both are the same. Each login has at most `pool_size` connections (the planner 2),
    and the reader as many again. A session of the own login waits `pool_timeout` seconds for one.
    A statement that gets no answer for `statement_timeout` seconds raises TimeoutError; the
    default is a little more than what the server allows. With `read_only` no transaction writes.
    `wake_sender` starts the sending of messages: sessions call it after a commit
    (`wake_sender_on_commit`).
    """

    def __init__(
        self,
        url: str,
        *,
        planner_url: str | None = None,
        operator_url: str | None = None,
        read_only: bool = False,
        pool_size: int = 8,
        pool_timeout: float = POOL_TIMEOUT_SECONDS,
        statement_timeout: float | None = None,
        wake_sender: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._read_only = read_only
        self._wake_sender = wake_sender
        is_panel = planner_url is None and operator_url is None
        own_timeout = statement_timeout or (
            PANEL_STATEMENT_SECONDS if is_panel else STATEMENT_SECONDS
        )
        self._engine = _create_engine(url, pool_size, own_timeout, pool_timeout)
        self._planner = (
            _create_engine(planner_url, 2, statement_timeout or PLANNER_STATEMENT_SECONDS)
            if planner_url
            else None
        )
        self._operator = (
            _create_engine(operator_url, pool_size, own_timeout) if operator_url else None
        )
        self._read_pool = ReadPool(
            to_asyncpg_dsn(url),
            pool_size,
            SERVER_SETTINGS,
            pool_timeout=pool_timeout,
            statement_timeout=statement_timeout or READ_SECONDS,
        )

    @asynccontextmanager
    async def tenant(self, tenant_id: TenantId) -> AsyncGenerator[TenantSession]:
        """Open a transaction on one company's rows; commits at the end of the block."""
        async with self._open(TenantSession, self._engine, tenant_id=tenant_id) as session:
            yield session

    @asynccontextmanager
    async def system(self) -> AsyncGenerator[SystemSession]:
        """Open a transaction on global tables, and with the worker's login on control tables."""
        async with self._open(SystemSession, self._engine) as session:
            yield session

    @asynccontextmanager
    async def batch(self) -> AsyncGenerator[BatchSession]:
        """Open a transaction over several companies; `switch_tenant` selects one at a time."""
        async with self._open(BatchSession, self._engine) as session:
            yield session

    @asynccontextmanager
    async def planner(self) -> AsyncGenerator[PlannerSession]:
        """Open a transaction of the planner. Raises MissingLoginError without its login."""
        if self._planner is None:
            raise MissingLoginError("planner")
        async with self._open(PlannerSession, self._planner) as session:
            yield session

    @asynccontextmanager
    async def operator(self) -> AsyncGenerator[OperatorSession]:
        """Open a read-only transaction that sees the rows of every company.

        Raises MissingLoginError without the operators' login.
        """
        if self._operator is None:
            raise MissingLoginError("operator")
        async with self._open(OperatorSession, self._operator, read_only=True) as session:
            yield session

    def _open(
        self, kind: type[_Session], engine: AsyncEngine, **info: object
    ) -> AbstractAsyncContextManager[_Session]:
        info = {"read_only": self._read_only, "wake_sender": self._wake_sender, **info}
        return _transaction(kind(engine, expire_on_commit=False, info=info))

    def reader(self, tenant_id: TenantId) -> Reader:
        """Return a reader of one company's rows as JSON; each read is a single statement."""
        return Reader(self._read_pool, tenant_id)

    async def fetch_global(self, sql: str, *args: object) -> asyncpg.Record | None:
        """Return the first row of a query on global tables; rows of companies are not visible."""
        return await self._read_pool.fetch_row(sql, *args)

    async def exists(self, statement: HotStatement, params: Mapping[str, object]) -> bool:
        """Return what a `SELECT EXISTS` on global tables does, in one round trip."""
        row = await self.fetch_global(statement.sql, *statement.bind(params))
        return row is not None and bool(row[0])

    def list_pools(self) -> list[PoolUse]:
        """Return the present use of every pool."""
        engines = {"sessions": self._engine, "planner": self._planner, "operator": self._operator}
        pools = [
            engine.pool.describe_use(name)
            for name, engine in engines.items()
            if engine is not None and isinstance(engine.pool, CountingPool)
        ]
        return [*pools, self._read_pool.describe_use("reader")]

    async def read_schema_version(self) -> str | None:
        """Return the number of the newest migration; None where the login sees no schema."""
        try:
            row = await self.fetch_global(SELECT_SCHEMA_VERSION)
        except (asyncpg.UndefinedTableError, asyncpg.InsufficientPrivilegeError):
            return None
        return row["version"] if row else None

    async def read_time(self) -> datetime:
        """Return the server's present time."""
        row = await self.fetch_global(SELECT_TIME)
        if row is None:
            raise LookupError("a SELECT without FROM has one row")
        now: datetime = row["now"]
        return now

    async def close(self) -> None:
        """Close every connection."""
        await self._read_pool.close()
        for engine in (self._engine, self._planner, self._operator):
            if engine is not None:
                await engine.dispose()


@asynccontextmanager
async def _transaction(session: _Session) -> AsyncGenerator[_Session]:
    async with session:  # closing rolls back what was not committed
        yield session
        await session.commit()
    await session.run_on_commit()


def _create_engine(
    url: str,
    pool_size: int,
    statement_timeout: float,
    pool_timeout: float = POOL_TIMEOUT_SECONDS,
) -> AsyncEngine:
    dsn = to_asyncpg_dsn(url)

    async def connect() -> asyncpg.Connection:
        return await asyncpg.connect(
            dsn,
            server_settings=SERVER_SETTINGS,
            timeout=CONNECT_TIMEOUT_SECONDS,
            command_timeout=statement_timeout,
        )

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=pool_timeout,
        poolclass=CountingPool,
    )
    event.listen(engine.sync_engine, "checkout", _reject_dead_connection)
    return engine


def _reject_dead_connection(
    connection: DBAPIConnection, _entry: ConnectionPoolEntry, _proxy: object
) -> None:
    # Free of charge: asyncpg knows of a closed connection. A ping would cost a round trip.
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError("the server closed the connection")
