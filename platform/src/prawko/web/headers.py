"""The headers that every answer carries, pages, data, refusals and failures alike."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from prawko.base.settings import Settings

ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-frame-options", b"DENY"),
    # Pages bring a policy of their own; whatever else is opened by itself may do nothing.
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
HSTS = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
NEVER_STORED = (b"cache-control", b"no-store")
DATA = frozenset({"api", "dev", "health"})


class HeadersMiddleware:
    """Adds the security headers an answer does not bring itself; data is never stored."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._always = (*ALWAYS, HSTS) if settings.secure else ALWAYS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        is_data = scope["path"].lstrip("/").partition("/")[0] in DATA
        wanted = (*self._always, NEVER_STORED) if is_data else self._always

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                brought = list(message.get("headers", ()))
                names = {name.lower() for name, _ in brought}
                message["headers"] = [*brought, *(one for one in wanted if one[0] not in names)]
            await send(message)

        await self._app(scope, receive, send_with_headers)
