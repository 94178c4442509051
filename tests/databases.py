"""A database for every test: empty, and used again where the test left its structure alone.

To copy the template costs more than most tests do; to delete a test's few rows, next to nothing.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

TEMPLATE = "prawko_template"
LARGEST = 32 * 1024 * 1024  # what deleted rows leave behind slows the tests after it

# Copied rows keep the template's transactions: whatever a test made or changed is newer.
_CATALOGS = " UNION ALL ".join(
    f"SELECT '{catalog}' AS catalog, count(*), max(xmin::text::bigint) FROM {catalog}"
    for catalog in (
        "pg_class", "pg_attribute", "pg_constraint", "pg_inherits", "pg_policy", "pg_proc",
        "pg_trigger", "pg_default_acl",
    )
)  # fmt: skip
_STRUCTURE = f"{_CATALOGS} ORDER BY 1"
_FILLED = """
    SELECT format('%I', relname) FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'alembic_version'
       AND pg_relation_size(oid) > 0
"""
# Of days and months that a test came to; without them the structure is the template's again.
_PARTITIONS = """
    SELECT format('%I', relname) FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relispartition
"""
_FIRST_PARTITIONS = "SELECT ensure_month(current_date), ensure_day(current_date)"
_ALONE = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class Databases:
    """The databases of one process's tests."""

    def __init__(self, admin_url: str, process: int) -> None:
        self._admin_url = admin_url
        self._prefix = f"prawko_test_{process}_"
        self._made = 0
        self._spare: list[str] = []
        self._structure: list[asyncpg.Record] = []
        self._partitions: set[str] = set()

    async def take(self) -> str:
        """The name of an empty database."""
        if self._spare:
            return self._spare.pop()
        if not self._structure:
            async with self._at(TEMPLATE) as template:
                self._partitions = await _partitions(template)
                await template.execute(_FIRST_PARTITIONS)  # their parents' rows change but once
                await self._drop_partitions(template)
                self._structure = await template.fetch(_STRUCTURE)
        self._made += 1
        name = f"{self._prefix}{self._made}"
        async with self._at("postgres") as server:
            await server.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        return name

    async def give_back(self, name: str) -> None:
        """Empty a database for another test, or drop it."""
        if await self._emptied(name):
            self._spare.append(name)
            return
        async with self._at("postgres") as server:
            await server.execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def _emptied(self, name: str) -> bool:
        async with self._at(name) as database:
            await database.execute(_ALONE)
            await self._drop_partitions(database)
            if await database.fetch(_STRUCTURE) != self._structure:
                return False
            if await database.fetchval("SELECT pg_database_size($1)", name) > LARGEST:
                return False
            filled = [row[0] for row in await database.fetch(_FILLED)]
            rows = "; ".join(f"DELETE FROM {table}" for table in filled)
            await database.execute(f"SET session_replication_role = replica; {rows}")
        return True

    async def _drop_partitions(self, database: asyncpg.Connection) -> None:
        if made := await _partitions(database) - self._partitions:
            await database.execute(f"DROP TABLE {', '.join(sorted(made))}")

    @asynccontextmanager
    async def _at(self, database: str) -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(self._admin_url, database=database)
        try:
            yield connection
        finally:
            await connection.close()


async def _partitions(database: asyncpg.Connection) -> set[str]:
    return {row[0] for row in await database.fetch(_PARTITIONS)}
