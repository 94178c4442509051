"""The headers that every answer carries."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from prawko.base.settings import Settings

ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"x-frame-options", b"DENY"),
)
HSTS = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
DATA = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


class HeadersMiddleware:
    """Adds the security headers; what the API answers is never stored."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._always = (*ALWAYS, HSTS) if settings.secure else ALWAYS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        extra = [*self._always]
        if scope["path"].startswith(("/api/", "/dev/")):
            extra.extend(DATA)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *extra]
            await send(message)

        await self._app(scope, receive, send_with_headers)
