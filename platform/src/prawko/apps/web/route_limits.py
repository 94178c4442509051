"""Counts the calls of routes that name a rate limit in their `opt`.

A call counts after the route's guards and before its body is read, so that a malformed one counts.
One for which the machine is too busy, so that nothing was done, costs nothing.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Request
from litestar.types import Scope

from prawko.kit.context import AppContext
from prawko.kit.documents.child_process import ProcessDelayedError
from prawko.kit.http.allow_header import reject_options
from prawko.limits import COMPANY_LIMIT, USER_LIMIT
from prawko_tenants.fair_semaphore import NoSlotError

AnyRequest = Request[Any, Any, Any]
_COUNTED = "counted_tries"


def count_route_calls(context: AppContext) -> Callable[[AnyRequest], Awaitable[None]]:
    """Return the `before_request` hook of the panel, which rejects OPTIONS as well.

    It raises TooManyRequestsError beyond a limit.
    """

    async def count_call(request: AnyRequest) -> None:
        await reject_options(request)
        opt = request.route_handler.opt
        counted = request.scope["state"][_COUNTED] = []
        for key, of in ((COMPANY_LIMIT, "tenant_id"), (USER_LIMIT, "user_id")):
            if key in opt:
                subject = str(getattr(request.user, of))
                await context.throttle.hit(opt[key], subject)
                counted.append((opt[key], subject))

    return count_call


def undo_delayed_calls(context: AppContext) -> Callable[[Exception, Scope], Awaitable[None]]:
    """Return the hook after an exception, which takes back what a delayed call has counted."""

    async def undo_call(error: Exception, scope: Scope) -> None:
        if isinstance(error, NoSlotError | ProcessDelayedError):
            for limit, subject in scope["state"].pop(_COUNTED, ()):
                await context.throttle.undo(limit, subject)

    return undo_call
