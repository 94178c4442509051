"""Refuses users who are not operators, before the console's routing reveals which paths exist."""

from urllib.parse import urlencode

from litestar.enums import ScopeType
from litestar.response import Redirect
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from prawko.accounts.errors import SecondFactorSetupRequiredError
from prawko.accounts.guards import require_operator
from prawko.apps.web.authentication import RequestAuthenticator
from prawko.apps.web.console_site import is_console_page
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, AuthForbiddenError, AuthRequiredError
from prawko.kit.http.exception_handlers import AnyResponse, handle_unexpected_error, render_error
from prawko.kit.http.strict_request import StrictRequest

LOGIN_PATH = "/auth/login"
PUBLIC_PREFIX = "/health/"
# Redirects of the console's pages; its calls answer with the error.
PATHS_OF_REJECTED_PAGES: dict[type[AppError], str] = {
    AuthRequiredError: LOGIN_PATH,
    AuthForbiddenError: LOGIN_PATH,
    SecondFactorSetupRequiredError: "/panel/account",
}


class OperatorGate:
    """Wraps the console's router: 401 or 403 for its calls, the login for its pages."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._authenticator = RequestAuthenticator(context)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # All paths that are not public: the router merges slashes, so a comparison could be evaded.
        if scope["type"] == ScopeType.HTTP and not scope["path"].startswith(PUBLIC_PREFIX):
            rejection = await self._find_rejection(scope)
            if rejection is not None:
                request = StrictRequest(scope)
                response = rejection.to_asgi_response(app=None, request=request)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _find_rejection(self, scope: HTTPScope) -> AnyResponse | None:
        request = StrictRequest(scope)
        try:
            # Reads of the console are recorded: a page of another site must not start one.
            await self._authenticator.authenticate(
                scope, refuses_cross_site=not is_console_page(scope["path"])
            )
            require_operator(scope["user"])
        except AppError as error:
            path = PATHS_OF_REJECTED_PAGES.get(type(error))
            if path is not None and is_console_page(scope["path"]):
                if isinstance(error, AuthRequiredError):
                    path = f"{path}?{urlencode({'next': _requested_path(scope)})}"
                return Redirect(path, status_code=303, headers={"Cache-Control": "no-store"})
            return render_error(request, error)
        except Exception as error:  # noqa: BLE001 (as Litestar's own handler does)
            return handle_unexpected_error(request, error)
        return None


def _requested_path(scope: HTTPScope) -> str:
    """Return the requested path, to which the login leads back (`next-path.ts` decides)."""
    query = scope["query_string"].decode("latin-1")
    return f"{scope['path']}?{query}" if query else scope["path"]
