"""Has a few requests of a company answered at a time; its others wait in a line of their own.

A process has a few connections to the database, which everybody waits for in one line, and locks
of a company's rows keep them while its requests wait for each other.
"""

from contextlib import AsyncExitStack

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from prawko.base.context import AppContext
from prawko_tenants.shares import CompanyShares

# Together fewer than the process has connections, so that one company never has all of them.
MAX_REQUESTS = 5
# Of calls that wait for other people's servers, mostly without a connection.
MAX_WAITING_REQUESTS = 2
WAITS_FOR_OTHERS = "waits_for_others"  # in `opt` of the route of such a call
MAX_OF_ALL = 1_000_000  # only a company's own number is limited


class RequestShares(CompanyShares):
    """The requests of companies that are being answered."""

    def __init__(self) -> None:
        super().__init__(MAX_OF_ALL, each=MAX_REQUESTS)


class WaitingRequestShares(CompanyShares):
    """The same of calls that wait for other people's servers."""

    def __init__(self) -> None:
        super().__init__(MAX_OF_ALL, each=MAX_WAITING_REQUESTS)


class CompanyShare:
    """Middleware after the authentication. The body of a request that waits is not read.

    A request counts until its response begins: how fast a client takes that is its own affair.
    """

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        identity = scope.get("user")
        if scope["type"] != ScopeType.HTTP or identity is None:
            await self._app(scope, receive, send)
            return
        is_waiting = WAITS_FOR_OTHERS in scope["route_handler"].opt
        shares = self._context.components.get(WaitingRequestShares if is_waiting else RequestShares)
        async with AsyncExitStack() as place:
            await place.enter_async_context(shares.reserve(identity.tenant_id))

            async def send_and_leave(message: Message) -> None:
                await place.aclose()
                await send(message)

            await self._app(scope, receive, send_and_leave)
