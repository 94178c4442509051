"""The product as `prawko demo` puts it together, with its developer tools."""

import dataclasses
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import Litestar

from demo.mailbox import deliver_and_read_mails
from prawko.apps.web.app import create_app
from prawko.apps.web.console_app import create_console_app
from prawko.apps.web.console_site import SiteDispatcher
from prawko.kit.bootstrap import close_context
from prawko.kit.context import AppContext
from prawko.kit.settings import Settings
from prawko_demo import panel_app, secret_store
from prawko_demo.config import FOLDER_VARIABLE, DemoConfig
from prawko_demo.databases import DemoDatabases
from prawko_demo.options import DemoOptions, parse_options
from prawko_demo.payments import find_sandbox
from prawko_demo.register import RegisterSimulator
from prawko_demo.variables import build_config
from prawko_embedded import EmbeddedServers
from prawko_tenants.logins import Logins
from support.applications import create_context_with_plugins, get_app
from support.people import Person
from support.servers.register import reset_simulator

_apps: dict[Settings, tuple[AppContext, Any, Litestar]] = {}


@pytest.fixture
def simulator(register_process: RegisterSimulator) -> RegisterSimulator:
    """The register simulator, reset to its initial state."""
    return reset_simulator(register_process)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all tests share: the demo's secrets and an empty frontend build."""
    folder = tmp_path_factory.mktemp("demos")
    (folder / "site").mkdir()
    return folder


@pytest.fixture(scope="session")
def demo_options(shared_folder: Path) -> DemoOptions:
    """Options of the demo; parsing them loads all plugins, in a process before."""
    return parse_options({"FRONTEND_DIR": str(shared_folder / "site")})


@pytest.fixture
def demo_config(
    servers: EmbeddedServers, logins: Logins, simulator: RegisterSimulator, tmp_path: Path,
    shared_folder: Path, demo_options: DemoOptions,
) -> DemoConfig:  # fmt: skip
    secrets = secret_store.load_or_create_secrets(shared_folder)
    databases = DemoDatabases(logins, servers.urls.redis_url)
    options = msgspec.structs.replace(demo_options, home=tmp_path)
    return build_config(options, tmp_path, secrets, databases, simulator.address)


def reuse_app(context: AppContext, *, extra_handlers: list[Any], **options: Any) -> Litestar:
    """Return the application for this context; one is built per settings and then reused.

    Building one costs more than most tests take. A reused application gets the fields of
    `context` and the state of the new router's dependencies copied into its own objects.
    """
    [router] = extra_handlers
    settings = msgspec.structs.replace(context.settings, database_url="")
    if settings not in _apps:
        app_context = dataclasses.replace(context)
        app = create_app(app_context, extra_handlers=extra_handlers, **options)
        _apps[settings] = app_context, router, app
    app_context, own_router, app = _apps[settings]
    for field in dataclasses.fields(AppContext):
        object.__setattr__(app_context, field.name, getattr(context, field.name))
    for name, provide in own_router.dependencies.items():
        vars(provide.dependency()).update(vars(router.dependencies[name].dependency()))
    return app


@pytest.fixture
async def dev_app(
    demo_config: DemoConfig, monkeypatch: pytest.MonkeyPatch, browser_for_app
) -> AsyncIterator[SiteDispatcher]:
    """The demo's site; its sandbox posts webhooks to it, and BLIK codes are confirmed at once."""
    monkeypatch.setenv(FOLDER_VARIABLE, demo_config.folder)
    monkeypatch.setattr(
        panel_app, "create_console_app", partial(get_app, create=create_console_app)
    )
    monkeypatch.setattr(panel_app, "create_context", create_context_with_plugins)
    demo_config.save()

    async def post_webhook(url: str, body: bytes, headers: dict[str, str]) -> int:
        headers = {**headers, "Content-Type": "application/json"}
        return (await provider.post(url, content=body, headers=headers)).status_code

    def create_app(context: AppContext, **options: Any) -> Litestar:
        sandbox = find_sandbox(context)
        sandbox.post_webhook, sandbox.blik_consent_seconds = post_webhook, 0.0
        return reuse_app(context, **options)

    site = panel_app.create_site(create_app)
    provider = browser_for_app(site.app)
    yield site.app
    await site.close_others()
    await close_context(site.context)


@pytest.fixture
def dev_client(dev_app: SiteDispatcher, browser_for_app) -> Person:
    """A browser without a session, for the developer tools."""
    return Person("nobody@prawko.test", browser_for_app(dev_app))


@pytest.fixture
async def company(dev_client: Person) -> Person:
    """A company in its trial, in the same browser as `dev_client`."""
    person = Person("firm@acme.test", dev_client.browser)
    await person.sign_up()
    code = (await deliver_and_read_mails(dev_client))[0]["code"]
    assert (await person.post("/api/verify-email", {"token": code})).status_code == 200
    trial = await person.post("/api/subscription/start-trial", {"taxId": "5260250274"})
    assert trial.status_code in {200, 201}
    return person
