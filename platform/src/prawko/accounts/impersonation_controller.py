"""The way back from an impersonation (docs/rules.md R21)."""

from litestar import Controller, Response, post
from litestar.di import NamedDependency

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.cookies import session_cookie
from prawko.accounts.guards import requires_login
from prawko.accounts.impersonation import end_impersonation
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.errors import AuthForbiddenError, AuthRequiredError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import OkOut


class ImpersonationController(Controller):
    """Gives the browser back to the operator."""

    path = "/api/impersonation"
    tags = ("Account",)

    @post(
        "/leave",
        operation_id="leaveImpersonation",
        status_code=200,
        guards=[requires_login],
        responses=error_responses(AuthRequiredError, AuthForbiddenError),
    )
    async def leave(
        self,
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        clock: NamedDependency[Clock],
    ) -> Response[OkOut]:
        session = await end_impersonation(context.database, identity, client, clock.now())
        token = session.token if session else None
        return Response(OkOut(ok=True), cookies=[session_cookie(context.settings, token)])
