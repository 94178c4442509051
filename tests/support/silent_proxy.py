"""A TCP proxy before PostgreSQL that falls silent, as a lost host does: nothing is closed."""

import asyncio
from typing import Self
from urllib.parse import parse_qs, urlsplit, urlunsplit


class SilentProxy:
    """Forwards connections to a server's Unix socket until it is silent."""

    def __init__(self, url: str) -> None:
        self._parts = urlsplit(url)
        query = parse_qs(self._parts.query)
        self._socket = f"{query['host'][0]}/.s.PGSQL.{query.get('port', ['5432'])[0]}"
        self._is_talking = asyncio.Event()
        self._is_talking.set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()

    @property
    def url(self) -> str:
        """The URL of the database through the proxy."""
        login = self._parts.netloc.rpartition("@")[0]
        port = self._server.sockets[0].getsockname()[1]
        return urlunsplit(("postgresql", f"{login}@127.0.0.1:{port}", self._parts.path, "", ""))

    def fall_silent(self) -> None:
        self._is_talking.clear()

    def talk(self) -> None:
        self._is_talking.set()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._is_talking.wait()
        server_reader, server_writer = await asyncio.open_unix_connection(self._socket)
        for source, target in ((reader, server_writer), (server_reader, writer)):
            task = asyncio.create_task(self._copy(source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                await self._is_talking.wait()
                target.write(data)
                await target.drain()
        except ConnectionError:
            pass
        finally:
            target.close()
