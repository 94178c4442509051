"""The product as `prawko demo` puts it together, doors included."""

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import Litestar

from doors import mails
from persons import Person
from prawko.base.jobs import Tools
from prawko.base.settings import Settings
from prawko.embedded import RunningServers
from prawko.web.app import create_app
from prawko_demo import keys, panel_app
from prawko_demo.databases import Databases
from prawko_demo.options import read
from prawko_demo.payments import webhook
from prawko_demo.register import RunningRegister, running_register
from prawko_demo.register.documents import Shelf
from prawko_demo.register.faults import Faults
from prawko_demo.stage import VARIABLE, Stage
from prawko_demo.variables import stage as stage_of
from prawko_tenants.logins import Logins

_apps: dict[Settings, tuple[Tools, Any, Litestar]] = {}


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RunningRegister]:
    async with running_register(tmp_path_factory.mktemp("register")) as running:
        yield running


@pytest.fixture
def simulator(running: RunningRegister) -> RunningRegister:
    """The register as it was at its start."""
    vars(running.shelf).update(vars(Shelf()))
    vars(running.faults).update(vars(Faults()))
    running.control.delay = 0.0
    return running


@pytest.fixture(scope="session")
def always(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What all the demos have in common: their secrets and a site without a page."""
    folder = tmp_path_factory.mktemp("demos")
    (folder / "site").mkdir()
    return folder


@pytest.fixture
def stage(
    servers: RunningServers, logins: Logins, simulator: RunningRegister, tmp_path: Path,
    always: Path,
) -> Stage:  # fmt: skip
    options = read({"PRAWKO_HOME": str(tmp_path), "SITE": str(always / "site")})
    found = Databases(logins, servers.servers.redis_url)
    return stage_of(options, tmp_path, keys.keep(always), found, simulator.address)


def made_once(tools: Tools, *, extra: list[Any], **more: Any) -> Litestar:
    """The panel with these tools and behind these doors.

    To make one costs more than most tests, so it changes hands: what the first one goes by
    becomes what this one is to go by.
    """
    [router] = extra
    settings = msgspec.structs.replace(tools.settings, database_url="")
    if settings not in _apps:
        own = dataclasses.replace(tools)
        _apps[settings] = own, router, create_app(own, extra=extra, **more)
    own, doors, app = _apps[settings]
    for field in dataclasses.fields(Tools):
        object.__setattr__(own, field.name, getattr(tools, field.name))
    for name, provide in doors.dependencies.items():
        vars(provide.dependency()).update(vars(router.dependencies[name].dependency()))
    app.on_shutdown.clear()
    return app


@pytest.fixture
async def dev(stage: Stage, monkeypatch: pytest.MonkeyPatch, visitor_of) -> AsyncIterator[Person]:
    """Somebody at the doors, without a session."""
    monkeypatch.setenv(VARIABLE, stage.folder)
    stage.publish()
    monkeypatch.setattr(panel_app, "create_app", made_once)
    app = panel_app.panel()
    provider = visitor_of(app)

    async def call(url: str, body: bytes, headers: dict[str, str]) -> int:
        """Reach the panel as the sandbox does, without a socket."""
        told = {**headers, "Content-Type": "application/json"}
        return (await provider.post(url, content=body, headers=told)).status_code

    monkeypatch.setattr(webhook, "call", call)
    yield Person("nobody@prawko.test", visitor_of(app))
    for end in app.on_shutdown:
        await end()


@pytest.fixture
async def firm(dev: Person) -> Person:
    """A company with its trial, at the same browser as the doors."""
    person = Person("firm@acme.test", dev.browser)
    await person.signs_up()
    code = (await mails(dev))[0]["code"]
    assert (await person.post("/api/verify-email", {"token": code})).status_code == 200
    trial = await person.post("/api/subscription/start-trial", {"taxId": "5260250274"})
    assert trial.status_code in {200, 201}
    return person
