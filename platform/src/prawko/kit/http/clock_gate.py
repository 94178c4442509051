"""Refuses requests while this machine's clock differs from PostgreSQL's (decision 4).

A wrong clock would end or prolong sessions and rate limits, and date orders and codes wrongly.
"""

from functools import partial

from litestar import Litestar, Response
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from prawko.kit.context import AppContext
from prawko.kit.errors import UnavailableError
from prawko.kit.http.exception_handlers import RETRY_AFTER_SECONDS, AnyResponse, render_error
from prawko.kit.http.lifecycle import run_while_serving
from prawko.kit.http.schemas import OkOut
from prawko.kit.http.strict_request import StrictRequest
from prawko.kit.incidents.clock_monitoring import watch_clock

LIVENESS_PATH = "/health/live"


class ClockGate:
    """Wraps a router: 503 for everything but the liveness probe while the clock is wrong.

    Readiness is refused, too, so the proxy sends requests to another process. It needs no
    statement, because a jump shows between two reads of this machine's clocks.
    """

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or self._context.clock_guard.is_trusted:
            await self._app(scope, receive, send)
            return
        request = StrictRequest(scope)
        answer: AnyResponse
        if scope["path"] == LIVENESS_PATH:  # not by the router, which looks for a session
            answer = Response(OkOut(ok=True), media_type="application/json")
        else:
            answer = render_error(request, UnavailableError(retry_after=RETRY_AFTER_SECONDS))
        await answer.to_asgi_response(app=None, request=request)(scope, receive, send)


def compare_clocks(app: Litestar, context: AppContext) -> None:
    """Compare the clock with PostgreSQL's repeatedly while the application runs."""
    run_while_serving(app, partial(watch_clock, context, opens_incidents=False))
