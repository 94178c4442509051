"""The doors under /dev: what a person or a script may do to a demo, and to nothing else."""

from litestar import Router
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler

from prawko.base.errors import ForeignSiteError
from prawko_demo.clock import FileClock
from prawko_demo.doors.clock import ClockDoor
from prawko_demo.doors.mailbox import MailboxDoor
from prawko_demo.doors.notices import NoticesDoor
from prawko_demo.doors.page import PageDoor
from prawko_demo.doors.pay import PayDoor
from prawko_demo.doors.payments import PaymentsDoor
from prawko_demo.doors.register import RegisterDoor, Simulator
from prawko_demo.doors.work import Work, WorkDoor
from prawko_demo.payments import SandboxProvider
from prawko_demo.stage import Stage

PATH = "/dev"
LOOPBACK = frozenset({"127.0.0.1", "localhost"})


def doors(stage: Stage, clock: FileClock, work: Work, sandbox: SandboxProvider) -> Router:
    """The routes of all doors; `clock` and `sandbox` are those that this process goes by."""
    mailbox, simulator = stage.mailbox(), Simulator(stage.control_url)
    return Router(
        PATH,
        route_handlers=[
            PageDoor,
            MailboxDoor,
            ClockDoor,
            RegisterDoor,
            WorkDoor,
            NoticesDoor,
            PaymentsDoor,
            PayDoor,
        ],
        dependencies={
            "file_clock": Provide(lambda: clock, sync_to_thread=False),
            "mailbox": Provide(lambda: mailbox, sync_to_thread=False),
            "simulator": Provide(lambda: simulator, sync_to_thread=False),
            "work": Provide(lambda: work, sync_to_thread=False),
            "sandbox": Provide(lambda: sandbox, sync_to_thread=False),
        },
        guards=[_own_name],
        include_in_schema=False,
    )


def _own_name(connection: ASGIConnection, _: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """Refuse a page that has its own name point at this machine to read the mailbox."""
    if connection.url.hostname not in LOOPBACK:
        raise ForeignSiteError
