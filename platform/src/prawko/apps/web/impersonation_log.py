"""Records every call of an impersonation except reads (docs/rules.md R21)."""

from typing import Any

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from prawko.accounts.audit_log import AuditEvent, record_event
from prawko.apps.web.authentication import SAFE_METHODS
from prawko.apps.web.dependencies import create_client_info_provider
from prawko.kit.context import AppContext


class ImpersonationLog:
    """Middleware after the authentication. The event is stored before the call has any effect."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._context = context
        self._provide_client_info = create_client_info_provider(context)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        identity = scope.get("user")
        if (
            scope["type"] == ScopeType.HTTP
            and identity is not None
            and identity.impersonator_id is not None
            and scope["method"] not in SAFE_METHODS
        ):
            request: Request[Any, Any, Any] = Request(scope)
            ids = {name: str(value) for name, value in request.path_params.items()}
            async with self._context.database.system() as session:
                await record_event(
                    session, AuditEvent.IMPERSONATED_CALL, identity,
                    self._provide_client_info(request), self._context.clock.now(),
                    operation=str(getattr(request.route_handler, "operation_id", None)), **ids,
                )  # fmt: skip
        await self._app(scope, receive, send)
