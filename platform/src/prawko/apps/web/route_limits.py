"""Counts the calls of routes that name a rate limit in their `opt`.

A call counts after the route's guards and before its body is read, so that a malformed one counts.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Request

from prawko.kit.context import AppContext
from prawko.kit.http.allow_header import reject_options
from prawko.limits import COMPANY_LIMIT, USER_LIMIT

AnyRequest = Request[Any, Any, Any]


def count_route_calls(context: AppContext) -> Callable[[AnyRequest], Awaitable[None]]:
    """Return the `before_request` hook of the panel, which rejects OPTIONS as well.

    It raises TooManyRequestsError beyond a limit.
    """

    async def count_call(request: AnyRequest) -> None:
        await reject_options(request)
        opt = request.route_handler.opt
        if COMPANY_LIMIT in opt:
            await context.throttle.hit(opt[COMPANY_LIMIT], str(request.user.tenant_id))
        if USER_LIMIT in opt:
            await context.throttle.hit(opt[USER_LIMIT], str(request.user.user_id))

    return count_call
