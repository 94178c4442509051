"""A database for every test: empty, and reused unless the test changed its structure.

Copying the template takes longer than most tests; deleting the rows of a test takes little.
"""

import asyncio

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
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> ALL ($1::int[])
"""


class DatabasePool:
    """The databases for the tests of one process, and a superuser's connection to each.

    A connection that stays open knows the catalogs and plans of its statements.
    """

    def __init__(self, admin_url: str, process: int) -> None:
        self._admin_url = admin_url
        self.prefix = f"prawko_test_{process}_"
        self._created = 0
        self._spare: list[str] = []
        self._structure: list[asyncpg.Record] = []
        self._partitions: set[str] = set()
        self._runner = asyncio.Runner()
        self._connections: dict[str, asyncpg.Connection] = {}

    def acquire(self) -> str:
        """Return the name of an empty database."""
        return self._spare.pop() if self._spare else self._runner.run(self._create())

    def release(self, name: str, kept: list[int]) -> bool:
        """Empty a database for the next test, or drop it; returns whether it was emptied.

        `kept` are the server's processes that stay connected to it.
        """
        return self._runner.run(self._release(name, kept))

    def close(self) -> None:
        """Close the connections."""
        for name in list(self._connections):
            self._runner.run(self._disconnect(name))
        self._runner.close()

    async def _create(self) -> str:
        if not self._structure:
            template = await self._connect(TEMPLATE)
            await template.execute(_CREATE_PARTITIONS)
            self._partitions = await _partitions(template)
            self._structure = await template.fetch(_STRUCTURE)
            await self._disconnect(TEMPLATE)  # a database in use is no template
        self._created += 1
        name = f"{self.prefix}{self._created}"
        server = await self._connect("postgres")
        await server.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        return name

    async def _release(self, name: str, kept: list[int]) -> bool:
        if await self._empty(name, kept):
            self._spare.append(name)
            return True
        await self._disconnect(name)
        server = await self._connect("postgres")
        await server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        return False

    async def _empty(self, name: str, kept: list[int]) -> bool:
        database = await self._connect(name)
        await database.fetch(_TERMINATE_OTHERS, kept)
        await self._drop_partitions(database)
        if await database.fetch(_STRUCTURE) != self._structure:
            return False
        if await database.fetchval("SELECT pg_database_size($1)", name) > MAX_BYTES:
            return False
        if tables := [row[0] for row in await database.fetch(_TABLES_WITH_ROWS)]:
            await database.execute("; ".join(f"DELETE FROM {table}" for table in tables))
        return True

    async def _drop_partitions(self, database: asyncpg.Connection) -> None:
        if created := await _partitions(database) - self._partitions:
            await database.execute(f"DROP TABLE {', '.join(sorted(created))}")

    async def _connect(self, database: str) -> asyncpg.Connection:
        if database not in self._connections or not await is_alive(self._connections[database]):
            self._connections[database] = await asyncpg.connect(
                self._admin_url,
                database=database,
                server_settings={"session_replication_role": "replica"},
            )
        return self._connections[database]

    async def _disconnect(self, database: str) -> None:
        await self._connections.pop(database).close()


async def is_alive(connection: asyncpg.Connection) -> bool:
    """Return whether the connection answers: a test may have ended it, or the server."""
    try:
        await connection.execute("SELECT", timeout=5)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError):
        return False
    return True


async def _partitions(database: asyncpg.Connection) -> set[str]:
    return {row[0] for row in await database.fetch(_PARTITIONS)}
