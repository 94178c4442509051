"""Bounds the time in which a client must have sent the body of its request.

The proxy buffers small bodies; this holds without one, and for bodies larger than its buffer.
"""

import asyncio

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Receive, Scope, Send

from prawko.kit.errors import BadRequestError, RequestTimeoutError

BODY_SECONDS = 30.0
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
