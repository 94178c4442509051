"""Limits how many requests of a company are processed at a time; its others wait for them.

A process has few connections to the database. Requests of a company that wait for the same locked
rows would take all of them.
"""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from prawko.kit.context import AppContext
from prawko_tenants.fair_semaphore import FairSemaphore

# Together fewer than the process has connections, so that one company never has all of them.
MAX_REQUESTS = 5
MAX_PROVIDER_REQUESTS = 2  # they wait for a register or a payment provider, mostly unconnected
MAX_WAIT_SECONDS = 20.0  # of a request; then it is refused with 503
CALLS_PROVIDER = "calls_provider"  # in `opt` of the handler of such a request


class RequestSlots(FairSemaphore):
    """The requests that are processed."""

    def __init__(self) -> None:
        super().__init__(per_company=MAX_REQUESTS)


class ProviderRequestSlots(FairSemaphore):
    """The requests that are processed and call a provider."""

    def __init__(self) -> None:
        super().__init__(per_company=MAX_PROVIDER_REQUESTS)


class ConcurrencyLimit:
    """Middleware behind the authentication; the body of a waiting request is not read.

    A request counts only until its response begins, also for a slow client.
    """

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        identity = scope.get("user")
        if scope["type"] != ScopeType.HTTP or identity is None:
            await self._app(scope, receive, send)
            return
        calls_provider = CALLS_PROVIDER in scope["route_handler"].opt
        slots = self._context.components.get(
            ProviderRequestSlots if calls_provider else RequestSlots
        )
        await slots.acquire(identity.tenant_id, seconds=MAX_WAIT_SECONDS)
        is_acquired = True

        def release() -> None:
            nonlocal is_acquired
            if is_acquired:
                is_acquired = False
                slots.release(identity.tenant_id)

        async def send_response(message: Message) -> None:
            release()
            await send(message)

        try:
            await self._app(scope, receive, send_response)
        finally:
            release()
