"""Fixtures of all tests: the embedded PostgreSQL and Redis, contexts, browsers, three persons."""

import asyncio
import base64
import dataclasses
import gc
import hashlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, closing
from functools import cache, partial
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import hypothesis
import msgspec
import pytest
from argon2 import PasswordHasher
from litestar import Litestar
from litestar.types import Receive, Scope, Send
from sqlalchemy import Connection, make_url
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache
from xdist.scheduler import LoadScopeScheduling

from prawko.accounts.passwords import hashing
from prawko.accounts.roles import Role
from prawko.apps.composition_root import create_renderer_registry
from prawko.apps.web.console_app import create_console_app
from prawko.apps.web.console_site import SiteDispatcher
from prawko.drivers import import_service
from prawko.hooks.channels import Medium
from prawko.hooks.payments import PaymentProvider
from prawko.kit.context import AppContext
from prawko.kit.work.queue import list_queue_scripts
from prawko.verifications.daily.run_now import DailyCheckReport
from prawko.verifications.daily.run_now import run_daily_check as daily_check
from prawko_demo.register import RegisterSimulator, run_register_simulator
from prawko_embedded import EmbeddedServers, start_servers
from prawko_migrations import upgrade_database
from prawko_tenants import engine, passwords
from prawko_tenants.logins import Logins, provision_database
from prawko_testing.clock import MovableClock
from prawko_testing.fake_payments import FakePaymentProvider
from prawko_testing.fakes import FakeRegister, RecordingChannel, RecordingPushChannel
from support.applications import get_app, open_test_context, used_apps
from support.database_pool import TEMPLATE, DatabasePool
from support.drills import SkippedDrills, is_ci, is_of_other_suite, mark_drills
from support.embedded import run_sql
from support.fleet import Fleet, open_fleet, superuser_url
from support.job_queue import InterceptedQueue
from support.kept_connections import ConnectionKeeper
from support.people import (
    Person,
    create_operator,
    create_owner,
    create_unverified,
    create_verified,
    sending_in_turn,
)
from support.processes import share_clock
from support.rights_check import RightsCheck
from support.stored_people import StoredPeople

# Examples take longer on a busy machine. `make quick` tries fewer of them.
# In CI, too, the examples are random.
DEFAULT = hypothesis.settings.get_profile("default")
hypothesis.settings.register_profile("tests", DEFAULT, deadline=None)
hypothesis.settings.register_profile("quick", DEFAULT, deadline=None, max_examples=25)
hypothesis.settings.load_profile("tests")

OpenContext = Callable[[], Awaitable[AppContext]]
SECRET = base64.urlsafe_b64encode(hashlib.sha256(b"the tests").digest()).decode()
# Modules and folders of half a minute and more, the longest first: they would keep one worker busy
# at the end.
LONG_RUNNING = (
    "journeys/test_screens.py",
    "journeys",
    "drivers/test_hostile_files.py",
    "ops/test_faults.py",  # a worker of one test is given the next module at once
    "mutants",
    "faults/test_register_faults.py",
    "upgrades/test_previous_release.py",
    "faults/test_wrong_clock.py",
    "backup/test_restore.py",
    "web/test_permissions.py",
    "billing/renewals/test_simulation.py",
    "ops/test_calendar.py",
    "ops/test_wrong_clock.py",
    "faults/test_notice_outage.py",
    "verifications/daily/test_calendar.py",
    "cli/test_plugin_templates.py",
    "demo/test_dev_api.py",
)
# Journeys of one group share a running demo. The longest module has one of its own.
OWN_WORKER = f"tests/{LONG_RUNNING[0]}"
JOURNEYS = "tests/journeys/test_"
LISTS = (f"{JOURNEYS}console", f"{JOURNEYS}driver")


class ModuleScheduler(LoadScopeScheduling):
    """Gives each worker whole modules; of the journeys, whole groups."""

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.partition("::")[0]
        if module == OWN_WORKER or not module.startswith(JOURNEYS):
            return module
        return LISTS[0] if module.startswith(LISTS) else JOURNEYS


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--unused-rights", choices=["report", "fail"],
        help="name the rights of database logins that no statement of this run used",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    if is_ci():
        config.pluginmanager.register(SkippedDrills())
    if mode := config.getoption("unused_rights"):
        config.pluginmanager.register(RightsCheck(fails=mode == "fail"))


@pytest.hookimpl(optionalhook=True)  # for runs without the plugin
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ModuleScheduler | None:
    return ModuleScheduler(config, log) if config.getvalue("dist") == "loadscope" else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return is_of_other_suite(collection_path, config.option.markexpr) or None


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_drills(items)
    folder = Path(__file__).parent
    places = [folder / place for place in LONG_RUNNING]

    @cache
    def position(path: Path) -> int:
        running = (n for n, place in enumerate(places) if path.is_relative_to(place))
        return next(running, len(places))

    items.sort(key=lambda item: position(item.path))


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collections, which took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def product_hasher() -> Iterator[PasswordHasher]:
    """The product's hasher of passwords; the tests sign up many people and use a cheaper one."""
    with pytest.MonkeyPatch.context() as patch:
        product_hasher = hashing.hasher
        cheap = PasswordHasher(memory_cost=64, time_cost=1, parallelism=1)
        patch.setattr(hashing, "hasher", cheap)
        patch.setattr(hashing, "_dummy_hash", cheap.hash("nobody has this password"))
        yield product_hasher


@pytest.fixture(scope="session", autouse=True)
def patient_reading() -> Iterator[None]:
    """Give the process that reads an import more time: it starts late on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        limits = msgspec.structs.replace(import_service.READING_LIMITS, seconds=60)
        patch.setattr(import_service, "READING_LIMITS", limits)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_statements() -> Iterator[None]:
    """Let the engines of a run share what they compiled and what they asked the server first.

    Each test has engines of its own.
    """
    create, cache = engine.create_async_engine, LRUCache(10_000)
    initialize, known = PGDialect_asyncpg.initialize, {}

    def create_sharing(*args: Any, **options: Any) -> AsyncEngine:
        return create(*args, **options, execution_options={"compiled_cache": cache})

    def initialize_once(dialect: PGDialect_asyncpg, connection: Connection) -> None:
        if known:
            vars(dialect).update(known)
            return
        before = dict(vars(dialect))
        initialize(dialect, connection)
        known.update(
            (name, value) for name, value in vars(dialect).items() if before.get(name) is not value
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PGDialect_asyncpg, "initialize", initialize_once)
        # A compiled statement is of one dialect, and theirs are alike.
        patch.setattr(PGDialect_asyncpg, "__hash__", lambda _: 0)
        patch.setattr(PGDialect_asyncpg, "__eq__", lambda one, other: type(one) is type(other))
        patch.setattr(engine, "create_async_engine", create_sharing)
        yield


@pytest.fixture(scope="session")
def servers() -> Iterator[EmbeddedServers]:
    """PostgreSQL and Redis for the whole run, deleted after it."""
    home = Path(tempfile.mkdtemp(prefix="prawko-test-"))
    share_clock()
    with start_servers(home, durable=False, scripts=list_queue_scripts()) as running:
        yield running
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
async def register_process(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[RegisterSimulator]:
    """The register simulator for the whole run; `reset_simulator` comes before each test."""
    async with run_register_simulator(tmp_path_factory.mktemp("register")) as simulator:
        yield simulator


@pytest.fixture(scope="session")
def template(servers: EmbeddedServers) -> Logins:
    """A migrated database, the template of the databases of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "SCRAM_ROUNDS", 1)  # each test connects a dozen times
        verifier = passwords.scram_verifier(str(make_url(servers.urls.admin_url).password))
        run_sql(servers.urls.admin_url, f"ALTER ROLE CURRENT_USER PASSWORD '{verifier}'")
        logins = provision_database(servers.urls.admin_url, database=TEMPLATE)
    upgrade_database(logins.owner)
    return logins


@pytest.fixture(scope="session")
def database_pool(servers: EmbeddedServers, template: Logins) -> Iterator[DatabasePool]:
    """The pool of databases for tests."""
    with closing(DatabasePool(servers.urls.admin_url, os.getpid())) as pool:
        yield pool


@pytest.fixture(scope="session")
async def connection_keeper(
    anyio_backend: str, servers: EmbeddedServers, database_pool: DatabasePool
) -> AsyncIterator[ConnectionKeeper]:
    """Keeps the connections to the pool's databases, and with it the event loop of all tests."""
    keeper = ConnectionKeeper(database_pool.prefix, servers.urls.admin_url)
    with keeper.replacing(asyncpg.connect):
        yield keeper


@pytest.fixture
def no_tasks_left(connection_keeper: ConnectionKeeper) -> Iterator[None]:
    """Ends the tasks that the test has left, as the end of its own event loop would."""
    before = asyncio.all_tasks(connection_keeper.loop)
    yield
    connection_keeper.end_tasks(before)


@pytest.fixture
def logins(
    database_pool: DatabasePool, connection_keeper: ConnectionKeeper, template: Logins,
    no_tasks_left: None,
) -> Iterator[Logins]:  # fmt: skip
    """The logins of a database for the test."""
    name = database_pool.acquire()
    yield Logins(**{
        role: url.replace(f"/{TEMPLATE}", f"/{name}", 1) for role, url in vars(template).items()
    })  # fmt: skip
    if not database_pool.release(name, connection_keeper.list_processes(name)):
        connection_keeper.drop(name)


@pytest.fixture
async def fleet(servers: EmbeddedServers, logins: Logins) -> AsyncIterator[Fleet]:
    """A superuser's view of the test's database, and companies without people."""
    async with open_fleet(servers, logins) as opened:
        yield opened


@pytest.fixture
def clock() -> MovableClock:
    """A product clock that the test moves."""
    return MovableClock()


@pytest.fixture
def register() -> FakeRegister:
    """A register whose answers the test sets."""
    return FakeRegister()


@pytest.fixture
def mailbox() -> RecordingChannel:
    """A mail channel that records its messages."""
    return RecordingChannel()


@pytest.fixture
def sms_inbox() -> RecordingChannel:
    """An SMS channel that records its messages."""
    return RecordingChannel(Medium.SMS)


@pytest.fixture
def push_inbox() -> RecordingPushChannel | None:
    """A push channel: none, unless a module overrides this."""
    return None


@pytest.fixture
def variables(servers: EmbeddedServers, logins: Logins) -> dict[str, str]:
    """Environment variables of a process."""
    return {
        "DATABASE_URL": logins.app,
        "REDIS_URL": servers.urls.redis_url,
        "SECRET_KEY": SECRET,
        "REGISTER": FakeRegister.name,
        "MAIL_CHANNEL": "recording",
        "OPERATOR_EMAIL": "operator@prawko.test",
        "STRICT_TAX_ID": "false",
        "REQUIRE_OPERATOR_SECOND_FACTOR": "false",
        "SELLER_NAME": "Prawko Testowa Sp. z o.o.",
        "SELLER_TAX_ID": "1111111111",
        "SELLER_STREET": "Próżna 7/9",
        "SELLER_POSTAL_CODE": "00-107",
        "SELLER_CITY": "Warszawa",
        "FRONTEND_DIR": "",
        "LOG_LEVEL": "WARNING",
    }


@pytest.fixture
def fake() -> FakePaymentProvider:
    """A payment provider whose answers the test sets; a folder or module offers it."""
    return FakePaymentProvider()


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """Payment providers: none, unless a folder or module overrides this."""
    return []


@pytest.fixture
def queue(servers: EmbeddedServers) -> InterceptedQueue:
    """The queue of the panel and the worker, on Redis."""
    return InterceptedQueue(servers.urls.redis_url)


@pytest.fixture
async def open_once(
    register: FakeRegister, mailbox: RecordingChannel, sms_inbox: RecordingChannel,
    push_inbox: RecordingPushChannel | None, clock: MovableClock,
    providers: list[PaymentProvider], queue: InterceptedQueue,
) -> AsyncIterator[Callable[..., OpenContext]]:  # fmt: skip
    """Creates functions that open a context when they are first called, and closes it at the end.

    Many tests need no worker or no console.
    """
    channels = mailbox, sms_inbox, push_inbox
    async with AsyncExitStack() as stack:

        def create(variables: dict[str, str], **options: Any) -> OpenContext:
            opened: list[AppContext] = []

            async def open_context() -> AppContext:
                if not opened:
                    context = open_test_context(
                        variables, register, channels, clock, providers, queue, **options
                    )
                    opened.append(await stack.enter_async_context(context))
                return opened[0]

            return open_context

        yield create


@pytest.fixture
async def context(variables: dict[str, str], open_once) -> AppContext:
    """The context of the panel."""
    return await open_once(variables)()


@pytest.fixture
def open_worker(variables: dict[str, str], logins: Logins, open_once) -> OpenContext:
    """Opens the context of the worker, with its own login and the planner's."""
    planner = {"PLANNER_DATABASE_URL": logins.planner, "REGISTER_RATE": "100000"}
    return open_once({**variables, "DATABASE_URL": logins.worker, **planner})


@pytest.fixture
async def worker(open_worker: OpenContext) -> AppContext:
    """The context of the worker."""
    return await open_worker()


@pytest.fixture
def open_console(variables: dict[str, str], logins: Logins, open_once) -> OpenContext:
    """Opens the context of the operators' console, with their login."""
    return open_once({**variables, "DATABASE_URL": logins.operator}, reads_all_companies=True)


@pytest.fixture
async def console(open_console: OpenContext) -> AppContext:
    """The context of the operators' console."""
    return await open_console()


@pytest.fixture
def enqueued_jobs(queue: InterceptedQueue) -> list[tuple[str, dict[str, object]]]:
    """The jobs that the panel and the worker enqueue, recorded instead of enqueued."""
    jobs: list[tuple[str, dict[str, object]]] = []

    async def record(job, **arguments: object) -> None:
        jobs.append((job.name, arguments))

    queue.handler = record
    return jobs


@pytest.fixture
async def browser_for_app() -> AsyncIterator[Callable[..., httpx.AsyncClient]]:
    """Creates browsers for an application, or for the panel of a context with some changes."""
    open_clients: list[httpx.AsyncClient] = []

    def make(
        app: Litestar | AppContext, ip: str = "127.0.0.1", **changes: Any
    ) -> httpx.AsyncClient:
        if isinstance(app, AppContext):
            app = get_app(dataclasses.replace(app, **changes))
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, raise_app_exceptions=False, client=(ip, 50_000)),
            base_url="http://127.0.0.1:8000",
        )
        open_clients.append(client)
        return client

    yield make
    used_apps.clear()
    for client in open_clients:
        await client.aclose()


@pytest.fixture
def new_browser(
    context: AppContext, open_console: OpenContext, browser_for_app
) -> Callable[[], httpx.AsyncClient]:
    """Creates browsers without a login session, for the site of panel and console."""

    async def console_app(scope: Scope, receive: Receive, send: Send) -> None:
        await get_app(await open_console(), create_console_app)(scope, receive, send)

    site = SiteDispatcher(get_app(context), console_app)
    return lambda: browser_for_app(site)


@pytest.fixture
def run_daily_check(worker: AppContext) -> Callable[[], Awaitable[DailyCheckReport]]:
    """Runs the daily check of the current product date and the deliveries."""

    async def run() -> DailyCheckReport:
        with sending_in_turn():
            # In a task: before Python 3.13, a failed TaskGroup leaves its task a cancellation.
            check = daily_check(worker, create_renderer_registry(worker))
            return await asyncio.create_task(check)

    return run


async def with_worker(
    open_worker: OpenContext, sign_up: Callable[..., Awaitable[Person]], *args: Any
) -> Person:
    """Sign a person up with a worker, which sends the mail that verifies the address."""
    return await sign_up(*args[:-1], await open_worker(), args[-1])


@pytest.fixture
async def people(
    servers: EmbeddedServers, logins: Logins, context: AppContext, clock: MovableClock,
    mailbox: RecordingChannel,
) -> AsyncIterator[StoredPeople]:  # fmt: skip
    """The people whom the test has; their sign-up over HTTP is done once, and stored."""
    connection = await asyncpg.connect(superuser_url(servers, logins))
    yield StoredPeople(connection, context.settings, clock, mailbox)
    await connection.close()


@pytest.fixture
async def anna(people: StoredPeople, new_browser, open_worker, mailbox) -> Person:
    """The owner of Acme, verified, with an active trial."""
    email, browser = "anna@acme.test", new_browser()
    sign_up = partial(with_worker, open_worker, create_owner, email, "5260250274", browser, mailbox)
    return await people.sign_up(email, browser, sign_up)


@pytest.fixture
async def bartek(people: StoredPeople, new_browser, anna: Person, logins: Logins) -> Person:
    """Anna's colleague in Acme."""
    email, browser = "bartek@acme.test", new_browser()
    add = partial(anna.add_colleague, email, browser, logins.owner)
    return await people.sign_up(email, browser, add)


@pytest.fixture
async def accountant(new_browser, anna: Person, logins: Logins) -> Person:
    """Acme's accountant: pays, and sees no driver."""
    email = "ksiegowa@acme.test"
    return await anna.add_colleague(email, new_browser(), logins.owner, Role.ACCOUNTANT)


@pytest.fixture
async def celina(people: StoredPeople, new_browser, open_worker, mailbox) -> Person:
    """The owner of the rival."""
    email, browser = "celina@rival.test", new_browser()
    sign_up = partial(with_worker, open_worker, create_owner, email, "7740001454", browser, mailbox)
    return await people.sign_up(email, browser, sign_up)


@pytest.fixture
async def olga(people: StoredPeople, new_browser, logins: Logins) -> Person:
    """An operator."""
    email, browser = "olga@prawko.test", new_browser()
    return await people.sign_up(
        email, browser, partial(create_operator, email, browser, logins.owner)
    )


@pytest.fixture
async def unverified(people: StoredPeople, new_browser) -> Person:
    """A person whose address is not verified."""
    email, browser = "filip@nowa.test", new_browser()
    return await people.sign_up(email, browser, partial(create_unverified, email, browser))


@pytest.fixture
async def newcomer(people: StoredPeople, new_browser, open_worker, mailbox) -> Person:
    """A verified person whose company has no subscription."""
    email, browser = "edward@bez.test", new_browser()
    return await people.sign_up(
        email, browser, partial(with_worker, open_worker, create_verified, email, browser, mailbox)
    )
