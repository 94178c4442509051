"""An HTTP server on this machine that plays a provider, and fails in every way on request.

    async with run_server(answer) as server:
        channel = MyChannel(Settings(url=server.url))

`answer` gets a Request and returns a Response, or its status. What the server got is in `requests`.
"""

import asyncio
import gzip
import json
import re
import socket
import struct
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

import msgspec
from aiohttp import web
from yarl import URL

_PADDING_BYTES = 5 * 1024 * 1024
_DRIP_SECONDS = 1.0
_JSON = "application/json"


class Request(msgspec.Struct, frozen=True):
    """A request as it came; names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> object:
        """The body, parsed as JSON."""
        return json.loads(self.body)


class Response(msgspec.Struct, frozen=True):
    """A response; `data` is sent as JSON, bytes as they are."""

    status: int
    data: object = None
    headers: Mapping[str, str] = {}
    media_type: str = _JSON

    @property
    def body(self) -> bytes:
        """The bytes to send."""
        return self.data if isinstance(self.data, bytes) else json.dumps(self.data).encode()


class LoopbackServer:
    """The running server; `failure` is one of the keys of `FAILURES` of the register contract.

    `wrong_types` replaces every text of the answer by a number.
    """

    def __init__(self, answer: Callable[[Request], Response | int]) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        self.failure: str | None = None
        self.url = URL()
        self._closing = asyncio.Event()

    def inject_failure(self, kind: str | None) -> None:
        """Fail in one of these ways from now on; None: work again."""
        self.failure = kind

    async def handle(self, incoming: web.Request) -> web.StreamResponse:
        """Answer one request of aiohttp's server."""
        request = Request(
            incoming.method,
            incoming.raw_path,
            {name.lower(): value for name, value in incoming.headers.items()},
            await incoming.read(),
        )
        self.requests.append(request)
        failure = self.failure
        if failure in {"refused", "reset"}:
            return _reset(incoming)
        if failure == "silence":
            await self._closing.wait()
        if failure is not None and failure.startswith("http_"):
            return _send(Response(int(failure.removeprefix("http_")), b"refused"))
        answered = self.answer(request)
        response = Response(answered, {}) if isinstance(answered, int) else answered
        if failure == "drip":
            return await _send_slowly(incoming, response)
        return _send(_spoil(response, failure))

    @asynccontextmanager
    async def serve(self) -> AsyncGenerator["LoopbackServer"]:
        """Listen on a free port for the length of the block."""
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = URL(f"http://127.0.0.1:{runner.addresses[0][1]}")
        try:
            yield self
        finally:
            self._closing.set()
            await runner.cleanup()


@asynccontextmanager
async def run_server(
    answer: Callable[[Request], Response | int],
) -> AsyncGenerator[LoopbackServer]:
    """Run a server for the length of the block."""
    async with LoopbackServer(answer).serve() as server:
        yield server


def unreachable_url() -> URL:
    """Return a URL on this machine at which no server listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return URL(f"http://127.0.0.1:{probe.getsockname()[1]}")


def _spoil(response: Response, failure: str | None) -> Response:
    body = response.body
    bodies = {
        "empty": b"",
        "null": b"null",
        "object": b"{}",
        "array": b"[]",
        "cut": body[: len(body) * 2 // 3],
        "huge": body + b" " * _PADDING_BYTES,
        "wrong_types": re.sub(rb'"[^"]*"(?!\s*:)', b"7", body),
    }
    if failure in bodies:
        return Response(200, bodies[failure])
    if failure == "html":
        return Response(200, b"<!DOCTYPE html><title>Przerwa</title>", media_type="text/html")
    if failure == "redirect":
        return Response(302, body, {"Location": "/followed"})
    if failure == "bad_gzip":
        return Response(200, gzip.compress(body)[:-12], {"Content-Encoding": "gzip"})
    return response


def _send(response: Response) -> web.Response:
    return web.Response(
        status=response.status,
        body=response.body,
        headers={"Content-Type": response.media_type, **response.headers},
    )


async def _send_slowly(incoming: web.Request, response: Response) -> web.StreamResponse:
    stream = web.StreamResponse(status=response.status, headers={"Content-Type": _JSON})
    await stream.prepare(incoming)
    for byte in response.body:
        await stream.write(bytes([byte]))
        await asyncio.sleep(_DRIP_SECONDS)
    return stream


def _reset(incoming: web.Request) -> web.Response:
    """End the connection with RST instead of an answer."""
    if incoming.transport is not None:
        connection = incoming.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        incoming.transport.abort()
    return web.Response()
