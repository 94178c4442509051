"""The three persons of every test, on the real PostgreSQL and Redis of the embedded default."""

import asyncio
import base64
import dataclasses
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
from litestar import Litestar

from databases import TEMPLATE, Databases
from persons import Person, founded
from prawko.base.jobs import Tools
from prawko.base.queue import SilentQueue
from prawko.base.settings import Settings
from prawko.base.start import close_tools, open_tools
from prawko.embedded import RunningServers, start
from prawko.hooks.channels import Medium
from prawko.hooks.payments import PaymentProvider
from prawko.testing.fake_payments import payment_plugin
from prawko.testing.fakes import FakeRegister, MovableClock, RecordingChannel, fake_plugin
from prawko.verifications.daily import DailyCheckReport
from prawko.verifications.daily import run_daily_check as daily_check
from prawko.web.app import create_app
from prawko.worker.wiring import correspondence
from prawko_migrations import upgrade
from prawko_tenants.logins import Logins, provision

SECRET = base64.urlsafe_b64encode(b"a secret of the tests, 32 bytes!").decode()
_apps: dict[Settings, tuple[Tools, Litestar]] = {}
# Modules of half a minute and more, the longest first: begun last, one worker would end alone.
LONG_MODULES = (
    "journeys/test_screens.py",
    "faults/test_register_faults.py",
    "http/test_who_may_what.py",
    "daily_check/test_calendar.py",
    "renewals/test_four_hundred_days.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {Path(__file__).parent / module: place for place, module in enumerate(LONG_MODULES)}
    items.sort(key=lambda item: order.get(item.path, len(order)))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def servers() -> Iterator[RunningServers]:
    """PostgreSQL and Redis for the whole run, thrown away after it."""
    home = Path(tempfile.mkdtemp(prefix="prawko-test-"))
    with start(home, durable=False) as running:
        yield running
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def template(servers: RunningServers) -> Logins:
    """A migrated database that every test's own is copied from."""
    logins = provision(servers.servers.admin_url, database=TEMPLATE)
    upgrade(logins.owner)
    return logins


@pytest.fixture(scope="session")
def databases(servers: RunningServers, template: Logins) -> Databases:
    """Where the tests' own databases come from."""
    return Databases(servers.servers.admin_url, os.getpid())


@pytest.fixture
def logins(databases: Databases, template: Logins) -> Iterator[Logins]:
    """A database of the test's own, and its logins."""
    name = asyncio.run(databases.take())
    yield Logins(**{
        role: url.replace(f"/{TEMPLATE}", f"/{name}", 1) for role, url in vars(template).items()
    })  # fmt: skip
    asyncio.run(databases.give_back(name))


@pytest.fixture
def clock() -> MovableClock:
    """The product's clock, moved by hand."""
    return MovableClock()


@pytest.fixture
def register() -> FakeRegister:
    """A register that answers what the test told it."""
    return FakeRegister()


@pytest.fixture
def mailbox() -> RecordingChannel:
    """A channel that keeps what it was given."""
    return RecordingChannel()


@pytest.fixture
def phones() -> RecordingChannel:
    """A channel that keeps the SMS it was given."""
    return RecordingChannel(Medium.SMS)


@pytest.fixture
def variables(servers: RunningServers, logins: Logins) -> dict[str, str]:
    """The variables of a process of the product."""
    return {
        "DATABASE_URL": logins.app,
        "REDIS_URL": servers.servers.redis_url,
        "SECRET_KEY": SECRET,
        "REGISTER": FakeRegister.name,
        "MAIL_CHANNEL": "recording",
        "OPERATOR_EMAIL": "operator@prawko.test",
        "STRICT_TAX_ID": "false",
        "SELLER_NAME": "Prawko Testowa Sp. z o.o.",
        "SELLER_TAX_ID": "1111111111",
        "SELLER_STREET": "Próżna 7/9",
        "SELLER_POSTAL_CODE": "00-107",
        "SELLER_CITY": "Warszawa",
        "SITE": "",
        "LOG_LEVEL": "WARNING",
    }


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """Who takes payments: nobody, unless a folder of tests says so."""
    return []


@asynccontextmanager
async def opened(
    variables: dict[str, str], register: FakeRegister, channels: Sequence[RecordingChannel],
    clock: MovableClock, providers: Sequence[PaymentProvider] = (),
) -> AsyncIterator[Tools]:  # fmt: skip
    fakes = {"fakes": fake_plugin(register, *channels), "payments": payment_plugin(*providers)}
    tools = open_tools(
        {**variables, "SMS_CHANNEL": "recording-sms"}, extra_plugins=fakes, clock=clock
    )
    try:
        yield tools
    finally:
        await close_tools(tools)


@pytest.fixture
async def tools(
    variables: dict[str, str], register: FakeRegister, mailbox: RecordingChannel,
    phones: RecordingChannel, clock: MovableClock, providers: list[PaymentProvider],
) -> AsyncIterator[Tools]:  # fmt: skip
    """The panel's tools."""
    async with opened(variables, register, (mailbox, phones), clock, providers) as panel:
        yield panel


@pytest.fixture
async def worker(
    variables: dict[str, str], logins: Logins, register: FakeRegister, mailbox: RecordingChannel,
    phones: RecordingChannel, clock: MovableClock, providers: list[PaymentProvider],
) -> AsyncIterator[Tools]:  # fmt: skip
    """The worker's tools: another login, and the planner's beside it."""
    own = {
        **variables,
        "DATABASE_URL": logins.worker,
        "PLANNER_DATABASE_URL": logins.planner,
        "REGISTER_RATE": "100000",
    }
    async with opened(own, register, (mailbox, phones), clock, providers) as tools:
        yield tools


@pytest.fixture
def rings(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, object]]]:
    """What the panel rings for, instead of ringing."""
    silent = SilentQueue()
    monkeypatch.setattr(type(tools.queue), "put", lambda _, *args, **kw: silent.put(*args, **kw))
    return silent.rings


@pytest.fixture
async def visitor_of() -> AsyncIterator[Callable[[Litestar], httpx.AsyncClient]]:
    """Makes browsers in front of an application, at an address of the network."""
    open_clients: list[httpx.AsyncClient] = []

    def make(app: Litestar, ip: str = "127.0.0.1") -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, raise_app_exceptions=False, client=(ip, 50_000)),
            base_url="http://127.0.0.1:8000",
        )
        open_clients.append(client)
        return client

    yield make
    for client in open_clients:
        await client.aclose()


def app_of(tools: Tools) -> Litestar:
    """The panel with these tools. To make one costs more than most tests, so it changes hands."""
    settings = msgspec.structs.replace(tools.settings, database_url="")
    if settings not in _apps:
        own = dataclasses.replace(tools)
        _apps[settings] = own, create_app(own)
    own, app = _apps[settings]
    for field in dataclasses.fields(Tools):
        object.__setattr__(own, field.name, getattr(tools, field.name))
    return app


@pytest.fixture
def visitor(tools: Tools, visitor_of) -> Callable[[], httpx.AsyncClient]:
    """Makes browsers that nobody has signed in with."""
    app = app_of(tools)
    return lambda: visitor_of(app)


@pytest.fixture
def run_daily_check(worker: Tools) -> Callable[[], Awaitable[DailyCheckReport]]:
    """Runs the daily check of the product's present day, deliveries included."""
    return lambda: daily_check(worker, correspondence(worker))


@pytest.fixture
async def anna(visitor, worker: Tools, mailbox: RecordingChannel) -> Person:
    """The owner of Acme, verified, with a running trial."""
    return await founded("Anna", "anna@acme.test", "5260250274", visitor(), worker, mailbox)


@pytest.fixture
async def bartek(visitor, anna: Person, logins: Logins) -> Person:
    """Anna's colleague in Acme."""
    return await anna.colleague("bartek@acme.test", visitor(), logins.owner)


@pytest.fixture
async def celina(visitor, worker: Tools, mailbox: RecordingChannel) -> Person:
    """The owner of the rival."""
    return await founded("Celina", "celina@rival.test", "7740001454", visitor(), worker, mailbox)
