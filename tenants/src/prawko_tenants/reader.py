"""The second door: one statement that binds the company and reads its rows as ready JSON."""

import asyncio
from collections.abc import Mapping
from functools import lru_cache

import asyncpg

from prawko_tenants.ids import TenantId

# set_config is volatile, so PostgreSQL keeps the inner SELECT apart and calls it once. The body
# refers to `bound`, so it cannot run before; if it ever did, the policies would see no company
# and show no row. The setting ends with the statement, which is a transaction of its own.
_STATEMENT = """\
SELECT x.body
FROM (SELECT set_config('app.tenant_id', $1, true)::uuid) AS bound (tenant_id)
CROSS JOIN LATERAL (
{sql}
) AS x (body)"""


class ReadDoor:
    """The reader's own connections, opened when the first one is needed."""

    def __init__(self, dsn: str, size: int, server_settings: Mapping[str, str]) -> None:
        self._dsn = dsn
        self._size = size
        self._server_settings = dict(server_settings)
        self._opening = asyncio.Lock()
        self._pool: asyncpg.Pool | None = None

    async def fetch_json(self, sql: str, *args: object) -> bytes | None:
        pool = self._pool or await self._open()
        return await pool.fetchval(sql, *args)  # type: ignore[no-any-return]

    async def fetch_row(self, sql: str, *args: object) -> asyncpg.Record | None:
        pool = self._pool or await self._open()
        return await pool.fetchrow(sql, *args)

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    async def _open(self) -> asyncpg.Pool:
        async with self._opening:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    self._dsn,
                    min_size=0,
                    max_size=self._size,
                    init=_hand_json_on_untouched,
                    reset=_leave_no_transaction_open,
                    server_settings=self._server_settings,
                    statement_cache_size=200,
                    timeout=10,
                    command_timeout=20,
                )
            return self._pool


class Reader:
    """Reads one company's rows; see `Database.read`."""

    def __init__(self, door: ReadDoor, tenant_id: TenantId) -> None:
        self._door = door
        self._tenant_id = str(tenant_id)

    async def json(self, sql: str, *args: object) -> bytes:
        """Run `sql`, which yields one column of type json, and return the first row's bytes.

        `sql` is the body of a LATERAL subquery beside `bound (tenant_id uuid)` and must refer
        to it; `args` are numbered from $2. Without a row the answer is `null`.
        """
        body = await self._door.fetch_json(_bound(sql), self._tenant_id, *args)
        return b"null" if body is None else body


@lru_cache(maxsize=256)
def _bound(sql: str) -> str:
    if "bound.tenant_id" not in sql:
        raise ValueError("the statement does not refer to bound.tenant_id")
    return _STATEMENT.format(sql=sql)


async def _hand_json_on_untouched(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec(
        "json", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary"
    )


async def _leave_no_transaction_open(connection: asyncpg.Connection) -> None:
    # The stock reset is a round trip after every read, for state that is never made here.
    if connection.is_in_transaction():
        await connection.reset()
