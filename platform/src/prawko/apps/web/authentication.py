"""Authenticates requests by the session cookie and rejects cross-site writes."""

from urllib.parse import unquote_to_bytes, urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from prawko.accounts.authentication import Identity, authenticate_token
from prawko.accounts.cookies import cookie_name
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, CrossSiteRequestError, OtherAccountError
from prawko.kit.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# The percent-encoded address of the account that the page shows.
ACCOUNT_HEADER = b"prawko-account"
ALLOWED_FETCH_SITES = frozenset({b"same-origin", b"none"})


class RequestAuthenticator:
    """Finds the user who sends a request."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._cookie_name = cookie_name(context.settings)
        self._allowed_origins = allowed_origins(context.settings)

    async def authenticate(self, scope: HTTPScope, *, refuses_cross_site: bool = False) -> None:
        """Set `scope["user"]` to the caller's Identity, or None.

        Raises CrossSiteRequestError for a write that a page of another site started, with
        `refuses_cross_site` for a read, too; OtherAccountError.
        """
        headers = dict(scope["headers"])
        if refuses_cross_site or scope["method"] not in SAFE_METHODS:
            self._reject_cross_site(headers)
        cookies = b";".join(value for field, value in scope["headers"] if field == b"cookie")
        token = parse_session_token(cookies, self._cookie_name)
        scope["user"] = identity = await self._authenticate(token) if token else None
        account = headers.get(ACCOUNT_HEADER)
        if identity and account and unquote_to_bytes(account) != identity.email.encode():
            raise OtherAccountError

    async def _authenticate(self, token: str) -> Identity | None:
        return await authenticate_token(
            self._context.database,
            token,
            utc_now(),
            operators_need_second_factor=self._context.settings.require_operator_second_factor,
        )

    def _reject_cross_site(self, headers: dict[bytes, bytes]) -> None:
        site = headers.get(b"sec-fetch-site")
        if site is not None and site not in ALLOWED_FETCH_SITES:
            raise CrossSiteRequestError
        origin = headers.get(b"origin")
        if origin is not None and origin not in self._allowed_origins:
            raise CrossSiteRequestError
        sends_body = headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers
        media_type = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        # A form of another site can send text/plain, but no JSON.
        if sends_body and media_type != b"application/json":
            raise BadRequestError


class AuthenticationMiddleware:
    """Authenticates requests that have a route; see RequestAuthenticator."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._authenticator = RequestAuthenticator(context)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._authenticator.authenticate(scope)
        await self._app(scope, receive, send)


def parse_session_token(cookies: bytes, name: str) -> str | None:
    """Return the session token of a Cookie header; malformed cookies beside it are ignored."""
    for cookie in cookies.split(b";"):
        cookie_key, _, value = cookie.strip().partition(b"=")
        if cookie_key == name.encode() and value and value.isascii():
            return value.decode()
    return None


def allowed_origins(settings: Settings) -> frozenset[bytes]:
    """Return the origins of the site: one, or on loopback both names of it."""
    parts = urlsplit(settings.base_url)
    names = {parts.hostname or ""}
    if not settings.is_https and names & {"127.0.0.1", "localhost"}:
        names = {"127.0.0.1", "localhost"}
    port = f":{parts.port}" if parts.port else ""
    return frozenset(f"{parts.scheme}://{name}{port}".encode() for name in names)
