"""Refuses requests that servers and proxies may read differently, before they are routed."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from prawko.kit.errors import AppError, BadRequestError, NotFoundError
from prawko.kit.http.exception_handlers import render_error
from prawko.kit.http.strict_request import StrictRequest


class RequestGate:
    """Wraps an ASGI application: one Host, and a path without empty segments.

    The router merges slashes, so that only the router would read `//api` as `/api`. HTTP/2 never
    arrives here, because the server speaks only HTTP/1.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and (error := _find_error(scope)) is not None:
            request = StrictRequest(scope)
            response = render_error(request, error).to_asgi_response(app=None, request=request)
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _find_error(scope: HTTPScope) -> AppError | None:
    if sum(name == b"host" for name, _ in scope["headers"]) > 1:
        return BadRequestError()
    return NotFoundError() if "//" in scope["path"] else None


class HeadRequests:
    """Wraps an ASGI application: HEAD is handled as GET, and its body is left out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        scope["method"] = "GET"

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await self._app(scope, receive, send_without_body)
