"""Checks whether a URL leads to PostgreSQL or to a pooler, and what the pooler supports.

A pooler in transaction mode gives each transaction another connection. The product's statements
are prepared once for each connection, so the pooler has to know them: PgBouncer does from 1.21 on,
with `max_prepared_statements`. Its version cannot be queried, so its behaviour is tested.
"""

import secrets

import asyncpg

from prawko_tenants.urls import to_asyncpg_dsn

CONNECT_SECONDS = 10
ROUNDS = 8
_SELECT_PID = "SELECT pg_backend_pid()"


class PoolerError(RuntimeError):
    """The pooler before the database lacks what the product needs."""


async def require_direct_connection(url: str) -> None:
    """Raise PoolerError when a pooler answers: a lock of a session would outlive its client."""
    connection = await _connect(url)
    try:
        if await _is_pooled(connection):
            raise PoolerError(
                "the owner's URL leads to a connection pooler: migrations need PostgreSQL itself"
            )
    finally:
        await connection.close()


async def require_supported_pooler(url: str) -> None:
    """Raise PoolerError for a pooler in transaction mode that keeps no prepared statements."""
    connection = await _connect(url)
    try:
        if not await _is_pooled(connection) or await _translates_statements(connection):
            return
        other = await _connect(url)
        try:
            if await _share_servers(connection, other):
                raise PoolerError(
                    "the database's URL leads to a connection pooler in transaction mode that keeps"
                    " no prepared statements: PgBouncer 1.21 or later with"
                    " max_prepared_statements = 200 is needed, or pool_mode = session"
                )
        finally:
            await other.close()
    finally:
        await connection.close()


async def _connect(url: str) -> asyncpg.Connection:
    return await asyncpg.connect(
        to_asyncpg_dsn(url), timeout=CONNECT_SECONDS, command_timeout=CONNECT_SECONDS,
        statement_cache_size=0,
    )  # fmt: skip


async def _is_pooled(connection: asyncpg.Connection) -> bool:
    """Whether the process that was announced at the login is not the one that answers."""
    announced: int = connection.get_server_pid()
    return await _read_pid(connection) != announced


async def _read_pid(connection: asyncpg.Connection) -> int:
    async with connection.transaction():  # one server from the first message to the last
        pid: int = await connection.fetchval(_SELECT_PID)
        return pid


async def _translates_statements(connection: asyncpg.Connection) -> bool:
    """Whether the server knows a statement by another name than ours: the pooler's own."""
    name = f"probe_{secrets.token_hex(8)}"
    async with connection.transaction():
        statement = await connection.prepare("SELECT 1", name=name)
        is_ours = await connection.fetchval(
            "SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1)", name
        )
        if is_ours:
            await connection.execute(f"DEALLOCATE {name}")  # the server connection stays
        del statement  # it would be closed when nothing refers to it
    return not bool(is_ours)


async def _share_servers(*connections: asyncpg.Connection) -> bool:
    """Whether transactions of different clients, or of one, meet different servers."""
    pids = [{await _read_pid(one) for _ in range(ROUNDS)} for one in connections]
    return any(len(own) > 1 for own in pids) or len(set.union(*pids)) < len(connections)
