"""The ASGI application of the panel; the console has its own (console_app)."""

from collections.abc import Sequence
from pathlib import Path

from litestar import Litestar
from litestar.middleware import DefineMiddleware
from litestar.openapi.config import OpenAPIConfig
from litestar.types import ASGIApp, ControllerRouterHandler

from prawko import __version__
from prawko.accounts.controller import AccountController
from prawko.accounts.cookies import cookie_name
from prawko.accounts.members.controller import MemberController
from prawko.accounts.passwords.controller import PasswordController
from prawko.accounts.phone_controller import PhoneController
from prawko.accounts.second_factor.controller import (
    SecondFactorController,
    SecondFactorLoginController,
)
from prawko.accounts.session_controller import ImpersonationController, SessionController
from prawko.apps.web.authentication import AuthenticationMiddleware
from prawko.apps.web.dependencies import create_dependencies
from prawko.apps.web.impersonation_log import ImpersonationLog
from prawko.apps.web.openapi import PatchedOpenAPI
from prawko.apps.web.route_limits import count_route_calls, undo_delayed_calls
from prawko.apps.web.webhooks import WebhookController
from prawko.billing.controller import SubscriptionController
from prawko.billing.order_controller import OrderController
from prawko.drivers.acknowledgement_controller import (
    AcknowledgementController,
    AcknowledgementLinkController,
)
from prawko.drivers.controller import DriverController
from prawko.drivers.export_controller import DriverExportController
from prawko.drivers.import_controller import DriverImportController
from prawko.invoices.controller import InvoiceController
from prawko.kit.context import AppContext
from prawko.kit.http.body_limits import BodyMemoryLimit, BodyTimeLimit
from prawko.kit.http.clock_gate import ClockGate
from prawko.kit.http.compression import JsonCompression
from prawko.kit.http.concurrency_limit import ConcurrencyLimit
from prawko.kit.http.exception_handlers import EXCEPTION_HANDLERS
from prawko.kit.http.headers import security_headers_hook
from prawko.kit.http.health import HealthController
from prawko.kit.http.request_gate import HeadRequests, RequestGate
from prawko.kit.http.request_observer import RequestObserver, log_rejections
from prawko.kit.http.security_contact import create_security_txt_handler
from prawko.kit.http.static_site import StaticSite, create_site_handler
from prawko.kit.http.strict_request import StrictRequest
from prawko.legal.controller import AgreementController, LegalAcceptanceController
from prawko.legal.operator_details import build_page_placeholders
from prawko.notifications.controller import NotificationController
from prawko.notifications.push_controller import PushController
from prawko.notifications.recipients.controller import RecipientController, RecipientLinkController
from prawko.personal_data.controller import PersonalDataController
from prawko.support.controller import SupportController
from prawko.verifications.confirmation_controller import ConfirmationController
from prawko.verifications.controller import VerificationController

MAX_BODY_BYTES = 256 * 1024

CONTROLLERS: tuple[ControllerRouterHandler, ...] = (
    AccountController,
    PasswordController,
    SessionController,
    SecondFactorController,
    SecondFactorLoginController,
    ImpersonationController,
    MemberController,
    AcknowledgementController,
    AcknowledgementLinkController,
    DriverController,
    DriverImportController,
    DriverExportController,
    VerificationController,
    ConfirmationController,
    SubscriptionController,
    OrderController,
    InvoiceController,
    NotificationController,
    PushController,
    RecipientController,
    RecipientLinkController,
    PhoneController,
    SupportController,
    PersonalDataController,
    LegalAcceptanceController,
    AgreementController,
    WebhookController,
    HealthController,
)


def create_app(
    context: AppContext,
    *,
    frontend_dir: Path | None = None,
    extra_handlers: Sequence[ControllerRouterHandler] = (),
) -> Litestar:
    """Create the ASGI application; `frontend_dir` is the built browser application.

    `extra_handlers` are routes of the demo and of tests.
    """
    handlers: list[ControllerRouterHandler] = [*CONTROLLERS, *extra_handlers]
    if context.settings.operator_contact_email:
        handlers.append(create_security_txt_handler(context.settings))
    if frontend_dir is not None:
        site = StaticSite(
            frontend_dir,
            {
                "SITE_URL": context.settings.origin,
                "CONTACT_EMAIL": context.settings.operator_contact_email,
            },
            build_page_placeholders(context.settings),
        )
        handlers.append(create_site_handler(site, cookie_name(context.settings)))
    app = Litestar(
        route_handlers=handlers,
        dependencies=create_dependencies(context),
        exception_handlers=EXCEPTION_HANDLERS,
        before_send=[security_headers_hook(context.settings), log_rejections],
        middleware=[
            DefineMiddleware(AuthenticationMiddleware, context=context),
            DefineMiddleware(ConcurrencyLimit, context=context),
            DefineMiddleware(ImpersonationLog, context=context),
        ],
        before_request=count_route_calls(context),
        after_exception=[undo_delayed_calls(context)],
        request_class=StrictRequest,
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="Prawko",
            version=__version__,
            path="/api/openapi",
            render_plugins=[PatchedOpenAPI(path="/openapi.json")],
        ),
        logging_config=None,
    )
    # Around Litestar's router, which has no route for HEAD, and inside its `before_send` hooks.
    gate = ClockGate(app.asgi_handler, context)
    app.asgi_handler = wrap_handler(gate, context)
    return app


def wrap_handler(handler: ASGIApp, context: AppContext) -> ASGIApp:
    """Return the handler within what limits, checks and observes the requests of every site."""
    limited = BodyMemoryLimit(BodyTimeLimit(HeadRequests(JsonCompression(handler))), context)
    return RequestObserver(RequestGate(limited))
