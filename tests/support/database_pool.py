"""A database for every test: empty, and reused unless the test changed its structure.

Copying the template takes longer than most tests; deleting the rows of a test takes little.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

TEMPLATE = "prawko_template"
MAX_BYTES = 32 * 1024 * 1024  # dead rows slow the following tests down

# Copied rows have the transaction ids of the template; what a test changed has newer ones.
_CATALOGS = " UNION ALL ".join(
    f"SELECT '{catalog}' AS catalog, count(*), max(xmin::text::bigint) FROM {catalog}"
    for catalog in (
        "pg_class", "pg_attribute", "pg_constraint", "pg_inherits", "pg_policy", "pg_proc",
        "pg_trigger", "pg_default_acl",
    )
)  # fmt: skip
_STRUCTURE = f"{_CATALOGS} ORDER BY 1"
_TABLES_WITH_ROWS = """
    SELECT format('%I', relname) FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'alembic_version'
       AND pg_relation_size(oid) > 0
"""
# Without those that a test created the structure is that of the template.
_PARTITIONS = """
    SELECT format('%I', relname) FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relispartition
"""
_CREATE_PARTITIONS = "SELECT ensure_month(current_date), ensure_day(current_date)"
_TERMINATE_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class DatabasePool:
    """The databases for the tests of one process."""

    def __init__(self, admin_url: str, process: int) -> None:
        self._admin_url = admin_url
        self._prefix = f"prawko_test_{process}_"
        self._created = 0
        self._spare: list[str] = []
        self._structure: list[asyncpg.Record] = []
        self._partitions: set[str] = set()

    async def acquire(self) -> str:
        """Return the name of an empty database."""
        if self._spare:
            return self._spare.pop()
        if not self._structure:
            async with self._connect(TEMPLATE) as template:
                await template.execute(_CREATE_PARTITIONS)
                self._partitions = await _partitions(template)
                self._structure = await template.fetch(_STRUCTURE)
        self._created += 1
        name = f"{self._prefix}{self._created}"
        async with self._connect("postgres") as server:
            await server.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        return name

    async def release(self, name: str) -> None:
        """Empty a database for the next test, or drop it."""
        if await self._empty(name):
            self._spare.append(name)
            return
        async with self._connect("postgres") as server:
            await server.execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def _empty(self, name: str) -> bool:
        async with self._connect(name) as database:
            await database.execute(_TERMINATE_OTHERS)
            await self._drop_partitions(database)
            if await database.fetch(_STRUCTURE) != self._structure:
                return False
            if await database.fetchval("SELECT pg_database_size($1)", name) > MAX_BYTES:
                return False
            tables = [row[0] for row in await database.fetch(_TABLES_WITH_ROWS)]
            rows = "; ".join(f"DELETE FROM {table}" for table in tables)
            await database.execute(f"SET session_replication_role = replica; {rows}")
        return True

    async def _drop_partitions(self, database: asyncpg.Connection) -> None:
        if created := await _partitions(database) - self._partitions:
            await database.execute(f"DROP TABLE {', '.join(sorted(created))}")

    @asynccontextmanager
    async def _connect(self, database: str) -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(self._admin_url, database=database)
        try:
            yield connection
        finally:
            await connection.close()


async def _partitions(database: asyncpg.Connection) -> set[str]:
    return {row[0] for row in await database.fetch(_PARTITIONS)}
