"""A PostgreSQL that no longer answers, without closing its connections, delays nobody for long."""

import asyncio
import time

import pytest
from sqlalchemy import text

from prawko_tenants.engine import Database
from support.silent_proxy import SilentProxy

pytestmark = pytest.mark.anyio

DEADLINE = 1.0
CONCURRENCY = 6


@pytest.fixture
async def proxy(tenancy_logins):
    async with SilentProxy(tenancy_logins.app) as proxy:
        yield proxy


@pytest.fixture
async def database(proxy):
    database = Database(proxy.url, pool_size=2, pool_timeout=DEADLINE, statement_timeout=DEADLINE)
    yield database
    proxy.talk()
    await database.close()


async def read(database: Database) -> None:
    await database.fetch_global("SELECT 1 AS one")


async def write(database: Database) -> None:
    async with database.system() as session:
        await session.execute(text("SELECT 1"))


@pytest.mark.parametrize("operation", [read, write])
async def test_every_waiting_operation_fails_in_time_and_the_next_succeeds(
    proxy, database, operation
) -> None:
    await asyncio.gather(*(operation(database) for _ in range(2)))
    proxy.fall_silent()
    begin = time.monotonic()

    results = await asyncio.wait_for(
        asyncio.gather(*(operation(database) for _ in range(CONCURRENCY)), return_exceptions=True),
        timeout=10 * DEADLINE,
    )

    assert [result for result in results if not isinstance(result, Exception)] == []
    assert time.monotonic() - begin < 8 * DEADLINE
    proxy.talk()
    await operation(database)
