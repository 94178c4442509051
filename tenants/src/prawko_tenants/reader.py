"""Reads rows of one company as JSON, in one statement that also selects the company."""

import asyncio
import time
from collections.abc import Mapping
from functools import lru_cache

import asyncpg

from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import TenantId
from prawko_tenants.pools import PoolUse, PoolWaits
from prawko_tenants.sessions import TenantSession

# set_config is volatile, so PostgreSQL does not inline the inner SELECT and calls it once. The
# body refers to `bound`, so it cannot run earlier; if it did, the policies would see no company
# and show no row. The setting ends with the statement, which is its own transaction.
_STATEMENT = """\
SELECT x.body
FROM (SELECT set_config('app.tenant_id', $1, true)::uuid) AS bound (tenant_id)
CROSS JOIN LATERAL (
{sql}
) AS x (body)"""
_STATEMENT_IN_SESSION = """\
SELECT x.body::text
FROM (SELECT $1::uuid) AS bound (tenant_id)
CROSS JOIN LATERAL (
{sql}
) AS x (body)"""


SELECT_SCHEMA_VERSION = "SELECT max(version_num) AS version FROM alembic_version"
SELECT_TIME = "SELECT clock_timestamp() AS now"
READ_SECONDS = 20
CONNECT_SECONDS = 10


# Connections that are left to `fetch_row`, so that sessions can be resolved during heavy reads.
RESERVED_CONNECTIONS = 2
# Connections that one company leaves to the lists of others, however many it requests at once.
CONNECTIONS_FOR_OTHERS = 2


class ReadPool:
    """Connection pool of the readers, opened by the first read.

    A read waits `pool_timeout` seconds for a connection and `statement_timeout` for its answer;
    then it raises TimeoutError. A company's reads wait for each other, and leave room to others'.
    """

    def __init__(
        self,
        dsn: str,
        size: int,
        server_settings: Mapping[str, str],
        *,
        pool_timeout: float,
        statement_timeout: float = READ_SECONDS,
    ) -> None:
        self._dsn = dsn
        self._size = size
        self._server_settings = dict(server_settings)
        self._pool_timeout = pool_timeout
        self._statement_timeout = statement_timeout
        self._open_lock = asyncio.Lock()
        slots = max(1, size - RESERVED_CONNECTIONS)
        per_company = max(1, slots - CONNECTIONS_FOR_OTHERS)
        self._slots = FairSemaphore(slots, per_company=per_company)
        self._pool: asyncpg.Pool | None = None
        self._waits = PoolWaits()

    async def fetch_json(self, tenant_id: TenantId, sql: str, *args: object) -> bytes | None:
        pool = self._pool or await self._open()
        began = time.perf_counter()
        async with (
            self._slots.slot(tenant_id, seconds=self._pool_timeout),
            pool.acquire(timeout=self._pool_timeout) as connection,
        ):
            self._waits.add(time.perf_counter() - began)
            return await connection.fetchval(sql, str(tenant_id), *args)  # type: ignore[no-any-return]

    async def fetch_row(self, sql: str, *args: object) -> asyncpg.Record | None:
        pool = self._pool or await self._open()
        async with pool.acquire(timeout=self._pool_timeout) as connection:
            return await connection.fetchrow(sql, *args)

    def describe_use(self, name: str) -> PoolUse:
        """Return the present use."""
        size, idle = (self._pool.get_size(), self._pool.get_idle_size()) if self._pool else (0, 0)
        return PoolUse(
            name=name,
            size=self._size,
            in_use=size - idle,
            idle=idle,
            waits=self._waits.count,
            wait_seconds=self._waits.seconds,
        )

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    async def _open(self) -> asyncpg.Pool:
        async with self._open_lock:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    self._dsn,
                    min_size=0,
                    max_size=self._size,
                    init=_pass_json_through,
                    reset=_reset_open_transaction,
                    server_settings=self._server_settings,
                    statement_cache_size=200,
                    timeout=CONNECT_SECONDS,
                    command_timeout=self._statement_timeout,
                )
            return self._pool


class Reader:
    """Reads one company's rows; see `Database.reader`."""

    def __init__(self, pool: ReadPool, tenant_id: TenantId) -> None:
        self._pool = pool
        self._tenant_id = tenant_id

    async def fetch_json(self, sql: str, *args: object) -> bytes:
        """Run `sql`, which yields one column of type json; return the first row's bytes.

        `sql` is the body of a LATERAL subquery beside `bound (tenant_id uuid)` and must refer
        to it; `args` are numbered from $2. Without a row the result is `null`. Raises ValueError
        when `sql` does not refer to `bound.tenant_id`.
        """
        body = await self._pool.fetch_json(self._tenant_id, _bind_statement(sql, _STATEMENT), *args)
        return b"null" if body is None else body


class SessionReader:
    """Reads as `Reader` does, in the transaction of a session."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def fetch_json(self, sql: str, *args: object) -> bytes:
        """Run `sql` as `Reader.fetch_json` does."""
        connection = await self._session.connection()
        statement = _bind_statement(sql, _STATEMENT_IN_SESSION)
        body = await connection.exec_driver_sql(statement, (self._session.tenant_id, *args))
        return str(body.scalar_one_or_none() or "null").encode()


@lru_cache(maxsize=256)
def _bind_statement(sql: str, template: str) -> str:
    if "bound.tenant_id" not in sql:
        raise ValueError("the statement does not refer to bound.tenant_id")
    return template.format(sql=sql)


async def _pass_json_through(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec(
        "json", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary"
    )


async def _reset_open_transaction(connection: asyncpg.Connection) -> None:
    # The default reset costs a round trip after every read, for state that no read here leaves.
    if connection.is_in_transaction():
        await connection.reset()
