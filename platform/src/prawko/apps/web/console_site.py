"""Serves the built console to operators from memory.

Its styles are made in the browser, so the page has its own Content-Security-Policy with a nonce,
new for every response, with which the server replaces `__CSP_NONCE__` in the page.
"""

import secrets
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from prawko.kit.http.body_limits import SHARED_BODY
from prawko.kit.http.static_site import (
    CACHE_IMMUTABLE,
    StaticFile,
    StaticSite,
    create_file_response,
)

PAGE = "index.html"
NONCE_PLACEHOLDER = b"__CSP_NONCE__"
# Only operators may have the files, so no shared cache may store them.
PRIVATE_CACHE = CACHE_IMMUTABLE.replace("public", "private")
CONSOLE_PATH = "/admin"
CONSOLE_API_PATH = "/api/admin"


def create_console_site_handler(folder: Path) -> HTTPRouteHandler:
    """Return the route of the console's files; a path without a file gets the page."""
    site = StaticSite(folder, {}, fallback=PAGE)
    page = site.find_file(f"/{PAGE}", has_session=True)

    @get(
        [CONSOLE_PATH, f"{CONSOLE_PATH}/{{path:path}}"],
        include_in_schema=False,
        sync_to_thread=False,
        opt={SHARED_BODY: True},
    )
    def serve_console(request: Request[Any, Any, Any]) -> Response[bytes | None]:
        path = request.scope["path"].removeprefix(CONSOLE_PATH) or "/"
        file = site.find_file(path, has_session=True)
        if file is page:
            return _create_page_response(page)
        response = create_file_response(request, file)
        if response.headers["Cache-Control"] == CACHE_IMMUTABLE:
            response.headers["Cache-Control"] = PRIVATE_CACHE
        return response

    return serve_console


def _create_page_response(page: StaticFile) -> Response[bytes | None]:
    nonce = secrets.token_urlsafe(16)
    headers = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": _content_security_policy(nonce),
    }
    body = page.body.replace(NONCE_PLACEHOLDER, nonce.encode())
    return Response(body, media_type=page.media_type, headers=headers)


def _content_security_policy(nonce: str) -> str:
    return (
        f"default-src 'self'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
        "img-src 'self' data:; connect-src 'self'; font-src 'self'; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def is_console_path(path: str) -> bool:
    """Whether the console answers a path, and not the panel."""
    return is_console_page(path) or f"{path}/".startswith(f"{CONSOLE_API_PATH}/")


def is_console_page(path: str) -> bool:
    """Whether a path is one of the console's application, not of its calls."""
    return f"{path}/".startswith(f"{CONSOLE_PATH}/")


class SiteDispatcher:
    """Hands the console's paths to the console, everything else to the panel.

    Start and stop events of the process go to the panel only.
    """

    def __init__(self, panel: ASGIApp, console: ASGIApp) -> None:
        self._panel = panel
        self._console = console

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_console = scope["type"] == ScopeType.HTTP and is_console_path(scope["path"])
        await (self._console if is_console else self._panel)(scope, receive, send)
