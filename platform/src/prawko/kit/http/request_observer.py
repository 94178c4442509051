"""Gives every request an id, counts how long it took, and logs those that are rejected."""

import time
from collections.abc import Iterable

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from prawko.kit.http.headers import REQUEST_ID_HEADER, STATUS
from prawko.kit.observability import logs
from prawko.kit.observability.metrics import Histogram
from prawko.kit.observability.request_ids import (
    SAFE_ID,
    bind_request_id,
    new_request_id,
    release_request_id,
)
from prawko.kit.observability.tracing import TRACEPARENT, TRACING, trace_span

FAILED = "500"  # there was no response
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
UNMATCHED = "unmatched"  # no route, or refused before the router, so the path may be any text

TRACEPARENT_HEADER = TRACEPARENT.encode()

REQUEST_SECONDS = Histogram(
    "prawko_http_request_seconds",
    "Requests by route, method and status, and how long they took.",
    ("route", "method", "status"),
)
LOGGED_STATUSES = frozenset({401, 403, 429})
CURRENT_USER_PATH = "/api/user"  # the browser of every visitor requests it: its 401 is normal

log = logs.get_logger(__name__)


class RequestObserver:
    """Wraps an ASGI application.

    A client's `X-Request-ID` is kept if it is safe to log, else replaced. The headers' hook writes
    it into the response and notes the status: a wrapper around `send` would cost more than both.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind: str = scope["type"]
        if kind != "http":
            await self._app(scope, receive, send)
            return
        method = str(scope.get("method"))  # before it is changed for a route
        if TRACING.tracer is not None and method in METHODS:
            await self._observe_traced(scope, receive, send, method)
        else:
            await self._observe(scope, receive, send, method)

    async def _observe_traced(
        self, scope: Scope, receive: Receive, send: Send, method: str
    ) -> None:
        parent = _find_header(scope["headers"], TRACEPARENT_HEADER)
        with trace_span(method, parent=parent) as span:
            await self._observe(scope, receive, send, method)
            if span is not None:
                route, status = scope.get("path_template") or UNMATCHED, scope.get(STATUS, FAILED)
                span.update_name(f"{method} {route}")
                span.set_attributes({
                    "http.request.method": method, "http.route": route,
                    "http.response.status_code": int(str(status)),
                })  # fmt: skip

    async def _observe(self, scope: Scope, receive: Receive, send: Send, method: str) -> None:
        token = bind_request_id(_find_safe_id(scope["headers"]) or new_request_id())
        began = time.perf_counter()
        try:
            await self._app(scope, receive, send)
        finally:
            seconds = time.perf_counter() - began
            release_request_id(token)
            REQUEST_SECONDS.observe(
                seconds,
                scope.get("path_template") or UNMATCHED,
                method if method in METHODS else OTHER,
                str(scope.get(STATUS, FAILED)),
            )


def _find_safe_id(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    text = _find_header(headers, REQUEST_ID_HEADER)
    return text if text and SAFE_ID.fullmatch(text) else None


def _find_header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    for name, value in headers:
        if name == wanted:
            return value.decode("latin-1")
    return ""


async def log_rejections(message: Message, scope: Scope) -> None:
    """Log 401, 403 and 429 responses (a `before_send` hook)."""
    if message["type"] != "http.response.start" or message["status"] not in LOGGED_STATUSES:
        return
    path, status = scope["path"], message["status"]
    if status == 401 and path == CURRENT_USER_PATH:
        return
    identity = scope.get("user")
    log.info(
        "request_rejected",
        status=status,
        verb=scope.get("method"),
        path=path,
        user_id=str(identity.user_id) if identity else None,
        session_id=str(identity.session_id) if identity else None,
    )
