"""From the cookie to the caller, before anything else happens to a request."""

from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send
from sqlalchemy import text

from prawko.accounts.cookies import cookie_name
from prawko.accounts.identity import Identity, identify
from prawko.base.clock import machine_now
from prawko.base.errors import BadRequestError, ForeignSiteError
from prawko.base.jobs import Tools
from prawko.base.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({b"same-origin", b"none"})

_SEEN = text("UPDATE login_session SET last_seen_at = :now WHERE id = :id")


class CallerMiddleware:
    """Names the caller and turns away writes that another site started."""

    def __init__(self, app: ASGIApp, tools: Tools) -> None:
        self._app = app
        self._tools = tools
        self._cookie = cookie_name(tools.settings)
        self._own_origins = own_origins(tools.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if scope["method"] not in SAFE_METHODS:
            self._refuse_foreign(headers)
        cookies = b";".join(value for field, value in scope["headers"] if field == b"cookie")
        token = session_token(cookies, self._cookie)
        scope["user"] = await self._caller(token) if token else None
        await self._app(scope, receive, send)

    def _refuse_foreign(self, headers: dict[bytes, bytes]) -> None:
        site = headers.get(b"sec-fetch-site")
        if site is not None and site not in OWN_SITES:
            raise ForeignSiteError
        origin = headers.get(b"origin")
        if origin is not None and origin not in self._own_origins:
            raise ForeignSiteError
        sends_body = headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        # A form of another site can send text/plain, but not JSON.
        if sends_body and kind != b"application/json":
            raise BadRequestError

    async def _caller(self, token: str) -> Identity | None:
        now = machine_now()
        identity = await identify(self._tools.database, token, now)
        if identity is not None and identity.seen_long_ago(now):
            async with self._tools.database.system() as session:
                await session.execute(_SEEN, {"id": identity.session_id, "now": now})
        return identity


def session_token(cookies: bytes, name: str) -> str | None:
    """The session's token in a Cookie header, whatever other programs have put beside it."""
    for cookie in cookies.split(b";"):
        found, _, value = cookie.strip().partition(b"=")
        if found == name.encode() and value and value.isascii():
            return value.decode()
    return None


def own_origins(settings: Settings) -> frozenset[bytes]:
    """Our site's origin; on loopback, by either of its names."""
    parts = urlsplit(settings.base_url)
    names = {parts.hostname or ""}
    if not settings.secure and names & {"127.0.0.1", "localhost"}:
        names = {"127.0.0.1", "localhost"}
    port = f":{parts.port}" if parts.port else ""
    return frozenset(f"{parts.scheme}://{name}{port}".encode() for name in names)
