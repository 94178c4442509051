"""The developer tools under /dev: an API and a page to control a demo."""

from litestar import Router
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler

from prawko.hooks.urls import LOOPBACK_HOSTS
from prawko.kit.errors import CrossSiteRequestError
from prawko_demo.clock import FileClock
from prawko_demo.config import DemoConfig
from prawko_demo.dev_api.actions import ActionsController, WorkerActions
from prawko_demo.dev_api.clock import ClockController
from prawko_demo.dev_api.hosted_page import HostedPageController
from prawko_demo.dev_api.mailbox import MailboxController
from prawko_demo.dev_api.notice_preview import NoticePreviewController
from prawko_demo.dev_api.page import PageController
from prawko_demo.dev_api.payments import SandboxPaymentController
from prawko_demo.dev_api.register import RegisterController, SimulatorClient
from prawko_demo.payments import SandboxProvider
from prawko_demo.tracebacks import Tracebacks

DEV_PATH = "/dev"


def create_dev_router(
    config: DemoConfig, clock: FileClock, actions: WorkerActions, sandbox: SandboxProvider
) -> Router:
    """Return the routes under /dev. `clock` and `sandbox` are the ones this process uses."""
    tracebacks = Tracebacks(config.folder)
    mailbox, simulator = config.open_mailbox(), SimulatorClient(config.control_url)
    return Router(
        DEV_PATH,
        route_handlers=[
            PageController,
            MailboxController,
            ClockController,
            RegisterController,
            ActionsController,
            NoticePreviewController,
            SandboxPaymentController,
            HostedPageController,
        ],
        dependencies={
            "file_clock": Provide(lambda: clock, sync_to_thread=False),
            "tracebacks": Provide(lambda: tracebacks, sync_to_thread=False),
            "mailbox": Provide(lambda: mailbox, sync_to_thread=False),
            "simulator": Provide(lambda: simulator, sync_to_thread=False),
            "actions": Provide(lambda: actions, sync_to_thread=False),
            "sandbox": Provide(lambda: sandbox, sync_to_thread=False),
        },
        guards=[_require_loopback_host],
        include_in_schema=False,
    )


def _require_loopback_host(connection: ASGIConnection, _: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """Reject other host names, which a site can make resolve to this machine (DNS rebinding)."""
    if connection.url.hostname not in LOOPBACK_HOSTS:
        raise CrossSiteRequestError
