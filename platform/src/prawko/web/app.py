"""The panel: every domain's controllers behind one door."""

from collections.abc import Sequence
from pathlib import Path

from litestar import Litestar
from litestar.middleware import DefineMiddleware
from litestar.openapi.config import OpenAPIConfig
from litestar.types import ControllerRouterHandler

from prawko import __version__
from prawko.accounts.controller import AccountController
from prawko.accounts.password_controller import PasswordController
from prawko.accounts.session_controller import SessionController
from prawko.base.jobs import Tools
from prawko.billing.controller import SubscriptionController
from prawko.billing.order_controller import OrderController
from prawko.drivers.controller import DriverController
from prawko.invoices.controller import InvoiceController
from prawko.notifications.controller import NotificationController
from prawko.payments.operator_controller import TransferController
from prawko.personal_data.controller import PersonalDataController
from prawko.support.controller import SupportController
from prawko.verifications.controller import VerificationController
from prawko.web.bodies import StrictRequest
from prawko.web.dependencies import dependencies
from prawko.web.headers import security_headers
from prawko.web.health import HealthController
from prawko.web.openapi import Served
from prawko.web.problems import HANDLERS
from prawko.web.refused import note_refusals
from prawko.web.sessions import CallerMiddleware
from prawko.web.site import Site, site_handler
from prawko.web.verbs import refuse_undeclared
from prawko.web.webhooks import WebhookController

MAX_BODY_BYTES = 256 * 1024

CONTROLLERS: tuple[ControllerRouterHandler, ...] = (
    AccountController,
    PasswordController,
    SessionController,
    DriverController,
    VerificationController,
    SubscriptionController,
    OrderController,
    InvoiceController,
    NotificationController,
    SupportController,
    PersonalDataController,
    TransferController,
    WebhookController,
    HealthController,
)


def create_app(
    tools: Tools, *, site: Path | None = None, extra: Sequence[ControllerRouterHandler] = ()
) -> Litestar:
    """The panel's ASGI application; `site` is the built customer application.

    `extra` are routes that only the demo adds.
    """
    handlers: list[ControllerRouterHandler] = [*CONTROLLERS, *extra]
    if site is not None:
        handlers.append(site_handler(Site(site)))
    return Litestar(
        route_handlers=handlers,
        dependencies=dependencies(tools),
        exception_handlers=HANDLERS,
        before_send=[security_headers(tools.settings), note_refusals],
        middleware=[DefineMiddleware(CallerMiddleware, tools=tools)],
        before_request=refuse_undeclared,
        request_class=StrictRequest,
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="Prawko",
            version=__version__,
            path="/api/openapi",
            render_plugins=[Served(path="/openapi.json")],
        ),
        logging_config=None,
    )
