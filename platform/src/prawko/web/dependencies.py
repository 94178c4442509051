"""What controllers may ask for by name. One request is one transaction, kept here alone."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from prawko.accounts.activity import Journal, Origin
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.service import CurrentSubscription
from prawko.base.after_commit import AfterCommit
from prawko.base.clock import Clock
from prawko.base.errors import AuthRequiredError
from prawko.base.jobs import Tools
from prawko.base.pages import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, Page
from prawko.base.texts import Language
from prawko.billing.fulfilment import Fulfilment
from prawko.billing.head_count import HeadCount
from prawko.billing.overview import Summaries
from prawko.drivers.head_count import DriversCounted
from prawko.payments.service import Payments
from prawko.web.origins import client_address, read_networks
from prawko.web.problems import language_of
from prawko.web.sessions import SAFE_METHODS
from prawko_tenants.engine import Database
from prawko_tenants.sessions import SystemSession, TenantSession

AnyRequest = Request[Any, Any, Any]

PageNumber = Annotated[int, QueryParameter(name="page", ge=1, le=1_000_000)]
PageSize = Annotated[int, QueryParameter(name="pageSize", ge=1, le=MAX_PAGE_SIZE)]

MAX_AGENT = 300


def dependencies(tools: Tools) -> dict[str, Provide]:
    """The dependencies of every controller, by name.

    No name may be a field of a request's body as well: Litestar would take a body's fault for
    a dependency's, and answer 500.
    """

    async def provide_session(
        request: AnyRequest,
        identity: NamedDependency[Identity],
        later: NamedDependency[AfterCommit],
    ) -> AsyncGenerator[TenantSession, None]:
        async with tools.database.tenant(identity.tenant_id) as session:
            yield session
            if request.method not in SAFE_METHODS:
                await refuse_revoked(session, identity)
        await later.ring(tools.queue)

    async def provide_system_session(
        later: NamedDependency[AfterCommit],
    ) -> AsyncGenerator[SystemSession, None]:
        async with tools.database.system() as session:
            yield session
        await later.ring(tools.queue)

    def provide_payments() -> Payments:
        return Payments(tools, Fulfilment(tools))

    def provide_current_subscription() -> CurrentSubscription:
        return Summaries(tools.clock)

    return {
        "current_subscription": Provide(provide_current_subscription, sync_to_thread=False),
        "tools": Provide(lambda: tools, sync_to_thread=False),
        "database": Provide(_database(tools), sync_to_thread=False),
        "clock": Provide(_clock(tools), sync_to_thread=False),
        "origin": Provide(_origin(tools), sync_to_thread=False),
        "identity": Provide(provide_identity, sync_to_thread=False),
        "spoken": Provide(provide_language, sync_to_thread=False),
        "head_count": Provide(provide_head_count, sync_to_thread=False),
        "payments": Provide(provide_payments, sync_to_thread=False),
        "later": Provide(AfterCommit, sync_to_thread=False),
        "window": Provide(provide_page, sync_to_thread=False),
        "session": Provide(provide_session),
        "journal": Provide(provide_journal, sync_to_thread=False),
        "system_session": Provide(provide_system_session),
    }


def provide_identity(request: AnyRequest) -> Identity:
    """The caller. Refuses a visitor, should a route have forgotten its guard."""
    identity = request.scope.get("user")
    if not isinstance(identity, Identity):
        raise AuthRequiredError
    return identity


def provide_journal(
    session: NamedDependency[TenantSession],
    identity: NamedDependency[Identity],
    origin: NamedDependency[Origin],
    clock: NamedDependency[Clock],
) -> Journal:
    """The log of what the caller does, kept with the request's transaction."""
    return Journal(session, identity, origin, clock)


def provide_language(request: AnyRequest) -> Language:
    """The caller's language."""
    return language_of(request)


def provide_head_count() -> HeadCount:
    """What billing asks of drivers."""
    return DriversCounted()


def provide_page(page: PageNumber = 1, page_size: PageSize = DEFAULT_PAGE_SIZE) -> Page:
    """The window a list call was asked for."""
    return Page(page, page_size)


def _database(tools: Tools) -> Any:
    def provide_database() -> Database:
        return tools.database

    return provide_database


def _origin(tools: Tools) -> Any:
    trusted = read_networks(tools.settings.trusted_proxies)

    def provide_origin(request: AnyRequest) -> Origin:
        peer = request.client.host if request.client else ""
        forwarded = request.headers.getall("x-forwarded-for", [])
        agent = request.headers.get("user-agent", "")
        return Origin(ip=client_address(peer, forwarded, trusted), agent=_one_line(agent))

    return provide_origin


def _one_line(agent: str) -> str:
    """A program's name of itself, fit to be stored and shown: PostgreSQL takes no zero bytes."""
    return "".join(c if c.isprintable() else " " for c in agent)[:MAX_AGENT]


def _clock(tools: Tools) -> Any:
    def provide_clock() -> Clock:
        return tools.clock

    return provide_clock
