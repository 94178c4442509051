"""The probes of a panel whose database no longer answers."""

import time

import pytest

from prawko_tenants.engine import Database
from support.silent_proxy import SilentProxy

pytestmark = pytest.mark.anyio


@pytest.fixture
async def proxy(logins):
    async with SilentProxy(logins.app) as proxy:
        yield proxy


@pytest.fixture
async def probe(context, proxy, browser_for_app):
    database = Database(proxy.url, pool_size=2)
    yield browser_for_app(context, database=database)
    proxy.talk()
    await database.close()


async def test_a_panel_is_ready_while_both_of_its_pools_get_answers(probe, proxy):
    assert (await probe.get("/health/ready")).status_code == 200
    proxy.fall_silent()
    begin = time.monotonic()

    answer = await probe.get("/health/ready")

    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
    assert answer.headers["retry-after"] == "5"
    assert time.monotonic() - begin < 15  # two pools, two seconds each
    assert (await probe.get("/health/live")).status_code == 200
    proxy.talk()
    assert (await probe.get("/health/ready")).status_code == 200
