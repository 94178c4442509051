"""Answers HEAD for every route of GET, with the headers that GET would have (RFC 9110, 9.3.2)."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send


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
