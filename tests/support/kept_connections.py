"""Connections to the databases of the tests, kept open from one test to the next.

A new process of the server costs it more than most tests' statements: it reads the catalogs and
plans anew. A closed connection is reset, and serves the next that is opened in the same way.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
from asyncpg.prepared_stmt import PreparedStatement

from support.database_pool import is_alive

MAX_IDLE = 4  # of one login of one database
STATEMENTS = 400

Key = tuple[str, str]


class KeptConnection(asyncpg.Connection):
    """A connection that its keeper takes back when it is closed."""

    keeper: "ConnectionKeeper"
    key: Key

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._codecs: set[tuple[str, str]] = set()

    async def prepare(self, query: str, **options: Any) -> PreparedStatement:
        """Prepare a statement once; SQLAlchemy asks again for each engine."""
        return await self._prepare(query, use_cache=True, **options)

    async def set_type_codec(self, typename: str, *, schema: str = "public", **codec: Any) -> None:
        """Set a codec once: connections of one key have the same, and it empties the caches."""
        if (schema, typename) not in self._codecs:
            await super().set_type_codec(typename, schema=schema, **codec)
            self._codecs.add((schema, typename))

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109, as asyncpg
        """Leave the connection to the keeper, or close it."""
        if self in self.keeper or await self.keeper.keep(self):
            return
        await super().close(timeout=timeout)

    def terminate(self) -> None:
        """Terminate the connection, unless its keeper has it."""
        if self not in self.keeper:
            super().terminate()

    async def leave_pool(self) -> None:
        """Reset the connection, and end what refers to it."""
        self._on_release()
        holder = self._pool_holder and self._pool_holder()
        self._pool_holder = None
        if holder is not None and holder._con is self:
            holder._release_on_close()
        await self.reset(timeout=2)


class ConnectionKeeper:
    """Opens and keeps the connections of one event loop to databases of one prefix.

    `server_url` is one of the server's: proxies and poolers have another host in theirs.
    """

    def __init__(self, prefix: str, server_url: str) -> None:
        self._prefix = prefix
        self._host = parse_qs(urlsplit(server_url).query)
        self.loop = asyncio.get_running_loop()
        self._idle: dict[Key, list[KeptConnection]] = defaultdict(list)
        self._is_open = True

    def __contains__(self, connection: KeptConnection) -> bool:
        return connection in self._idle[connection.key]

    @contextmanager
    def replacing(self, connect: Callable[..., Awaitable[Any]]) -> Iterator[None]:
        """Let this take the place of asyncpg's `connect`."""

        async def connect_kept(dsn: str | None = None, **options: Any) -> asyncpg.Connection:
            options.pop("loop", None)
            url = urlsplit(dsn or "")
            database = url.path.removeprefix("/")
            is_kept = database.startswith(self._prefix) and parse_qs(url.query) == self._host
            if not is_kept or asyncio.get_running_loop() != self.loop:
                return await connect(dsn, **options)
            return await self._open((database, f"{dsn} {options}"), connect, dsn, options)

        with pytest.MonkeyPatch.context() as patch:
            for module in (asyncpg, asyncpg.connection):
                patch.setattr(module, "connect", connect_kept)
            yield
        self._is_open = False
        self.drop("")

    async def _open(self, key: Key, connect, dsn, options) -> KeptConnection:
        while self._idle[key]:
            connection = self._idle[key].pop()
            if not connection.is_closed() and await is_alive(connection):
                return connection
            connection.terminate()
        options |= {"connection_class": KeptConnection, "statement_cache_size": STATEMENTS}
        connection = await connect(dsn, **options)
        connection.keeper, connection.key = self, key
        return connection

    async def keep(self, connection: KeptConnection) -> bool:
        """Return whether the connection is kept: not within a transaction."""
        idle = self._idle[connection.key]
        if (
            not self._is_open
            or connection.is_closed()
            or connection.is_in_transaction()
            or len(idle) >= MAX_IDLE
        ):
            return False
        try:
            await connection.leave_pool()
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            return False
        idle.append(connection)
        return True

    def list_processes(self, database: str) -> list[int]:
        """Return the server's processes of the connections that are kept."""
        return [
            connection.get_server_pid()
            for key, connections in self._idle.items()
            if key[0] == database
            for connection in connections
        ]

    def end_tasks(self, spared: set[asyncio.Task[Any]]) -> None:
        """Cancel the other tasks of the event loop, and wait for their end."""
        if left := asyncio.all_tasks(self.loop) - spared:
            for task in left:
                task.cancel()
            self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))

    def drop(self, prefix: str) -> None:
        """Close the kept connections to the databases of a prefix."""
        for key in [key for key in self._idle if key[0].startswith(prefix)]:
            for connection in self._idle.pop(key):
                connection.terminate()
