"""The ASGI application of the operators' console: its calls and its built pages."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from litestar import Litestar, Router
from litestar.di import NamedDependency, Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.types import ControllerRouterHandler

from prawko import __version__, console
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import requires_operator
from prawko.apps.web.app import MAX_BODY_BYTES, wrap_handler
from prawko.apps.web.console_site import CONSOLE_API_PATH, create_console_site_handler
from prawko.apps.web.dependencies import create_common_dependencies
from prawko.apps.web.openapi import PatchedOpenAPI
from prawko.apps.web.operator_gate import OperatorGate
from prawko.console.list_query import provide_list_parameters
from prawko.kit.context import AppContext
from prawko.kit.http.allow_header import reject_options
from prawko.kit.http.clock_gate import ClockGate
from prawko.kit.http.exception_handlers import EXCEPTION_HANDLERS
from prawko.kit.http.headers import security_headers_hook
from prawko.kit.http.health import HealthController
from prawko.kit.http.request_observer import log_rejections
from prawko.kit.http.strict_request import StrictRequest

# The modules of the console that serve nothing: what its resources are made of.
UNSERVED = {
    "check_run_forecast", "check_run_progress", "list_query", "resource", "schemas",
    "subscription_change",
}  # fmt: skip


def create_console_app(context: AppContext, *, console_dir: Path | None = None) -> Litestar:
    """Create the ASGI application; `console_dir` is the built console.

    The context has the operators' login (`create_context(…, reads_all_companies=True)`).
    """
    api = Router(CONSOLE_API_PATH, route_handlers=find_routes(), guards=[requires_operator])
    handlers: list[ControllerRouterHandler] = [api, HealthController]
    if console_dir is not None:
        handlers.append(create_console_site_handler(console_dir))
    app = Litestar(
        route_handlers=handlers,
        dependencies=_create_console_dependencies(context),
        exception_handlers=EXCEPTION_HANDLERS,
        before_send=[security_headers_hook(context.settings), log_rejections],
        before_request=reject_options,
        request_class=StrictRequest,
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="Prawko console",
            version=__version__,
            path=f"{CONSOLE_API_PATH}/openapi",
            render_plugins=[PatchedOpenAPI(path="/openapi.json")],
        ),
        logging_config=None,
    )
    # As in the panel; the gates are before the router, which would answer strangers 404 and 405.
    gate = ClockGate(OperatorGate(app.asgi_handler, context), context)
    app.asgi_handler = wrap_handler(gate, context)
    return app


def find_routes() -> list[ControllerRouterHandler]:
    """Return what the modules of `prawko.console` serve: each lists it as `ROUTES`.

    Raises AttributeError for a module without, unless UNSERVED names it.
    """
    names = {module.name for module in iter_modules(console.__path__)} - UNSERVED
    modules = [import_module(f"{console.__name__}.{name}") for name in sorted(names)]
    return [route for module in modules for route in module.ROUTES]


def _create_console_dependencies(context: AppContext) -> dict[str, Provide]:
    def provide_operator_acts(
        identity: NamedDependency[Identity], client: NamedDependency[ClientInfo]
    ) -> OperatorActs:
        return OperatorActs(context, identity, client)

    return {
        **create_common_dependencies(context),
        "acts": Provide(provide_operator_acts, sync_to_thread=False),
        "list_parameters": Provide(provide_list_parameters, sync_to_thread=False),
    }
