"""Dependencies injected into controllers by name. One request is one transaction."""

from collections.abc import AsyncGenerator, Callable
from typing import Annotated, Any

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from prawko.accounts.audit_log import AuditLog, ClientInfo
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.cookies import known_browser_cookie_name
from prawko.accounts.known_browsers import parse_known_browsers
from prawko.apps.web.authentication import SAFE_METHODS
from prawko.billing.queries import CurrentSubscriptionReader
from prawko.billing.state import require_subscription
from prawko.drivers.queries import DriverQueries
from prawko.drivers.repository import SqlDriverCounter
from prawko.kit.clock import Clock, utc_now
from prawko.kit.context import AppContext
from prawko.kit.database import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, Pagination
from prawko.kit.errors import AuthRequiredError
from prawko.kit.http.client_ip import find_client_ip, parse_networks
from prawko.kit.http.exception_handlers import request_language
from prawko.kit.text.plain_text import to_single_line
from prawko.payments.service import PaymentService
from prawko_tenants.sessions import SystemSession, TenantSession

AnyRequest = Request[Any, Any, Any]

PageNumber = Annotated[int, QueryParameter(name="page", ge=1, le=1_000_000)]
PageSize = Annotated[int, QueryParameter(name="pageSize", ge=1, le=MAX_PAGE_SIZE)]

MAX_USER_AGENT_LENGTH = 300


def create_dependencies(context: AppContext) -> dict[str, Provide]:
    """Return the dependencies of every controller of the panel, by name.

    A dependency's name may also be a field of a body: StrictRequest decodes bodies before
    Litestar validates the arguments of a handler.
    """

    async def provide_session(
        request: AnyRequest, identity: NamedDependency[Identity]
    ) -> AsyncGenerator[TenantSession, None]:
        async with context.database.tenant(identity.tenant_id) as session:
            yield session
            if request.method not in SAFE_METHODS:
                await ensure_session_active(session, identity)

    async def provide_system_session(request: AnyRequest) -> AsyncGenerator[SystemSession, None]:
        async with context.database.system() as session:
            yield session
            identity = request.scope.get("user")
            if identity is not None and request.method not in SAFE_METHODS:
                await ensure_session_active(session, identity)

    def provide_driver_queries(request: AnyRequest) -> DriverQueries:
        # Needs only the request, because Litestar resolves several dependencies in a task each.
        reader = context.database.reader(provide_identity(request).tenant_id)
        return DriverQueries(reader, context.clock.now())

    async def provide_allowed_drivers(request: AnyRequest) -> int:
        # Likewise.
        tenant_id = provide_identity(request).tenant_id
        return await require_subscription(context.database, tenant_id, context.clock.now())

    def provide_payments() -> PaymentService:
        return PaymentService(context)

    return {
        **create_common_dependencies(context),
        "current_subscription": Provide(
            lambda: CurrentSubscriptionReader(context.clock), sync_to_thread=False
        ),
        "driver_queries": Provide(provide_driver_queries, sync_to_thread=False),
        "allowed_drivers": Provide(provide_allowed_drivers),
        "driver_counter": Provide(SqlDriverCounter, sync_to_thread=False),
        "payments": Provide(provide_payments, sync_to_thread=False),
        "pagination": Provide(provide_pagination, sync_to_thread=False),
        "session": Provide(provide_session),
        "audit": Provide(provide_audit_log, sync_to_thread=False),
        "system_session": Provide(provide_system_session),
    }


def create_common_dependencies(context: AppContext) -> dict[str, Provide]:
    """Return the dependencies that the controllers of panel and console share."""
    return {
        "context": Provide(lambda: context, sync_to_thread=False),
        "database": Provide(lambda: context.database, sync_to_thread=False),
        "clock": Provide(lambda: context.clock, sync_to_thread=False),
        "client": Provide(create_client_info_provider(context), sync_to_thread=False),
        "identity": Provide(provide_identity, sync_to_thread=False),
        "language": Provide(request_language, sync_to_thread=False),
    }


def provide_identity(request: AnyRequest) -> Identity:
    """Return the caller. Raises AuthRequiredError for a visitor, should a route lack its guard."""
    identity = request.scope.get("user")
    if not isinstance(identity, Identity):
        raise AuthRequiredError
    return identity


def provide_audit_log(
    session: NamedDependency[TenantSession],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
    clock: NamedDependency[Clock],
) -> AuditLog:
    """Return the audit log of the caller, written in the request's transaction."""
    return AuditLog(session, identity, client, clock)


def provide_pagination(page: PageNumber = 1, page_size: PageSize = DEFAULT_PAGE_SIZE) -> Pagination:
    """Return the requested page of a list."""
    return Pagination(page, page_size)


def create_client_info_provider(context: AppContext) -> Callable[[AnyRequest], ClientInfo]:
    """Return the dependency that finds the origin of a request."""
    trusted = parse_networks(context.settings.trusted_proxies)
    browser_cookie = known_browser_cookie_name(context.settings)

    def provide_client_info(request: AnyRequest) -> ClientInfo:
        # On one line, because PostgreSQL rejects zero bytes and the panel displays it.
        user_agent = to_single_line(request.headers.get("user-agent", ""))
        return ClientInfo(
            ip=find_client_ip(request.scope, trusted),
            user_agent=user_agent[:MAX_USER_AGENT_LENGTH],
            known_browsers=parse_known_browsers(
                context.key_ring, request.cookies.get(browser_cookie, ""), utc_now()
            ),
        )

    return provide_client_info
