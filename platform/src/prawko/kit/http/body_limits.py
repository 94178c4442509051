"""Limits the memory of bodies in a process and the time in which a client sends one."""

import asyncio
from collections import Counter
from collections.abc import Hashable

from litestar.enums import ScopeType
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    HTTPResponseStartEvent,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)

from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, RequestTimeoutError, UnavailableError
from prawko.kit.http.client_ip import find_client_ip, parse_networks
from prawko.kit.http.exception_handlers import RETRY_AFTER_SECONDS, render_error
from prawko.kit.http.headers import STATUS
from prawko.kit.http.strict_request import StrictRequest
from prawko.kit.observability import logs
from prawko.kit.rate_limit import client_network

VISITORS_BYTES = 16 * 1024 * 1024
COMPANIES_BYTES = 64 * 1024 * 1024
MESSAGE_BYTES = 64  # of a part of a body, however small: what its object takes
# A larger response is handed over in parts, one after another as its client reads them.
PART_BYTES = 128 * 1024
PART_SECONDS = 30.0  # in which the client must have read a part
SHARED_BODY = "shared_body"  # in `opt` of the handler of responses that take no memory of their own

log = logs.get_logger(__name__)


class MemoryLimiter:
    """Has `limit` bytes; an owner can reserve at most as many as are left afterwards.

    So one owner gets half at most, two get a third each, and a further owner who needs little
    always gets it.
    """

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._reserved = Counter[Hashable]()

    def reserve(self, owner: Hashable, size: int) -> bool:
        """Reserve bytes; False, and nothing is reserved, if that is more than the owner's share."""
        if self._reserved[owner] + size > self._free - size:
            return False
        self._free -= size
        self._reserved[owner] += size
        return True

    def release(self, owner: Hashable, size: int) -> None:
        """Free bytes that were reserved."""
        self._free += size
        self._reserved[owner] -= size
        if not self._reserved[owner]:
            del self._reserved[owner]


class VisitorMemory(MemoryLimiter):
    """The bodies of requests without a signed-in user."""

    def __init__(self) -> None:
        super().__init__(VISITORS_BYTES)


class CompanyMemory(MemoryLimiter):
    """The bodies of companies' requests, and their large responses."""

    def __init__(self) -> None:
        super().__init__(COMPANIES_BYTES)


class BodyMemoryLimit:
    """Wraps an ASGI application."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._context = context
        self._trusted_proxies = parse_networks(context.settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        request = _BodyMemory(self, scope, receive, send)
        try:
            await self._app(scope, request.receive, request.send)
        finally:
            request.release()

    def find_owner(self, scope: HTTPScope) -> tuple[MemoryLimiter, Hashable]:
        """Return whose memory the bodies take: of the company, of the network for a visitor."""
        identity = scope.get("user")  # set before anything is read
        if identity is not None:
            return self._context.components.get(CompanyMemory), identity.tenant_id
        network = client_network(find_client_ip(scope, self._trusted_proxies))
        return self._context.components.get(VisitorMemory), network


class _BodyMemory:
    """The bodies of one request and of its response."""

    def __init__(
        self, limit: BodyMemoryLimit, scope: HTTPScope, receive: Receive, send: Send
    ) -> None:
        self._limit = limit
        self._scope = scope
        self._receive = receive
        self._send = send
        self._owner: tuple[MemoryLimiter, Hashable] | None = None
        self._size = 0
        self._start: HTTPResponseStartEvent | None = None
        self._has_begun = False
        self._over = asyncio.Event()  # nothing more of the response is sent

    async def receive(self) -> HTTPReceiveMessage:
        """Receive a part of the request's body. Raises UnavailableError."""
        if self._has_begun:
            return await self._receive_disconnect()
        message: HTTPReceiveMessage = await self._receive()  # type: ignore[assignment]  # HTTP
        body = message["body"] if message["type"] == "http.request" else b""
        if body and not self._reserve(len(body) + MESSAGE_BYTES):
            raise UnavailableError(retry_after=RETRY_AFTER_SECONDS)
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response, or 503 in its place if it needs too much memory."""
        if self._over.is_set():
            return
        if message["type"] == "http.response.start":
            self._has_begun = True
            self._start = message
            return
        body = message.get("body", b"") if message["type"] == "http.response.body" else b""
        is_large = len(body) > PART_BYTES
        if self._start is not None:
            if is_large and self._takes_memory() and not self._reserve(len(body)):
                await self._refuse()
                return
            start, self._start = self._start, None
            await self._send(start)
        if is_large:
            await self._send_parts(body, more_body=message["more_body"])  # type: ignore[typeddict-item]
        elif message.get("more_body"):
            await self._send_part(body, more_body=True)
        else:
            await self._send(message)

    def release(self) -> None:
        """Free the memory at the end of the request."""
        if self._owner is not None:
            memory, owner = self._owner
            memory.release(owner, self._size)
            self._owner = None

    async def _receive_disconnect(self) -> HTTPReceiveMessage:
        """Wait for the end of the connection, ours as well: a stream waits for that."""
        received = asyncio.create_task(self._receive_any())
        over = asyncio.create_task(self._over.wait())
        try:
            await asyncio.wait({received, over}, return_when=asyncio.FIRST_COMPLETED)
            return received.result() if received.done() else {"type": "http.disconnect"}
        finally:
            received.cancel()
            over.cancel()

    async def _receive_any(self) -> HTTPReceiveMessage:
        return await self._receive()  # type: ignore[return-value]  # HTTP, not WebSocket

    def _takes_memory(self) -> bool:
        if self._scope.get("user") is None:  # visitors get pages and files, which all share
            return False
        return not self._scope["route_handler"].opt.get(SHARED_BODY)

    def _reserve(self, size: int) -> bool:
        self._owner = self._owner or self._limit.find_owner(self._scope)
        memory, owner = self._owner
        if memory.reserve(owner, size):
            self._size += size
            return True
        log.info("body_memory_exhausted", path=self._scope["path"], size=size)
        return False

    async def _refuse(self) -> None:
        self._over.set()
        request = StrictRequest(self._scope)
        error = UnavailableError(retry_after=RETRY_AFTER_SECONDS)
        self._scope[STATUS] = str(error.status)  # type: ignore[literal-required]
        response = render_error(request, error).to_asgi_response(app=None, request=request)
        await response(self._scope, self._receive, self._send)

    async def _send_parts(self, body: bytes, *, more_body: bool) -> None:
        for begin in range(0, len(body), PART_BYTES):
            end = begin + PART_BYTES
            await self._send_part(body[begin:end], more_body=more_body or end < len(body))

    async def _send_part(self, body: bytes, *, more_body: bool) -> None:
        """Send a part once the client has read the one before; else the connection is cut."""
        if self._over.is_set():
            return
        try:
            async with asyncio.timeout(PART_SECONDS):
                await self._send(
                    {"type": "http.response.body", "body": body, "more_body": more_body}
                )
        except TimeoutError:
            self._over.set()
            log.info("response_not_read", path=self._scope["path"])


BODY_SECONDS = 30.0  # in which a client must have sent the whole body
BODILESS_METHODS = frozenset({"GET", "HEAD"})
BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})


class BodyTimeLimit:
    """Wraps an ASGI application: a body that is not complete in time is refused with 408.

    A body that its client cuts off is a malformed request, not a failure of the server.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not _may_have_body(scope):
            await self._app(scope, receive, send)
            return
        deadline = asyncio.get_running_loop().time() + BODY_SECONDS
        is_complete = False

        async def receive_in_time() -> HTTPReceiveMessage:
            nonlocal is_complete
            if is_complete:  # only the end of the connection follows
                return await receive()  # type: ignore[return-value]  # HTTP, not WebSocket
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise RequestTimeoutError from None
            if message["type"] == "http.disconnect":
                raise BadRequestError
            is_complete = not message.get("more_body", False)
            return message  # type: ignore[return-value]  # HTTP, not WebSocket

        await self._app(scope, receive_in_time, send)


def _may_have_body(scope: HTTPScope) -> bool:
    if scope["method"] not in BODILESS_METHODS:
        return True
    return any(name in BODY_HEADERS for name, _ in scope["headers"])
