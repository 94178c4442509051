"""The product as `prawko demo` puts it together, doors included."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from doors import mails
from persons import Person
from prawko.embedded import RunningServers
from prawko_demo import keys
from prawko_demo.databases import Databases
from prawko_demo.options import read
from prawko_demo.panel_app import panel
from prawko_demo.payments import webhook
from prawko_demo.register import RunningRegister, running_register
from prawko_demo.stage import VARIABLE, Stage
from prawko_demo.variables import stage as stage_of
from prawko_tenants.logins import Logins


@pytest.fixture
async def simulator(tmp_path: Path) -> AsyncIterator[RunningRegister]:
    async with running_register(tmp_path / "register") as running:
        yield running


@pytest.fixture
def stage(
    servers: RunningServers, logins: Logins, simulator: RunningRegister, tmp_path: Path
) -> Stage:
    (tmp_path / "site").mkdir()
    options = read({"PRAWKO_HOME": str(tmp_path), "SITE": str(tmp_path / "site")})
    found = Databases(logins, servers.servers.redis_url)
    return stage_of(options, tmp_path, keys.keep(tmp_path), found, simulator.address)


@pytest.fixture
async def dev(stage: Stage, monkeypatch: pytest.MonkeyPatch, visitor_of) -> AsyncIterator[Person]:
    """Somebody at the doors, without a session."""
    monkeypatch.setenv(VARIABLE, stage.folder)
    stage.publish()
    app = panel()
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
