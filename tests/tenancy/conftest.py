"""A migrated database of this folder's own, with two companies in it: Acme and its rival."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from prawko_migrations import upgrade
from prawko_tenants.engine import Database
from prawko_tenants.logins import Logins, provision
from prawko_tenants.roles import Roles


@pytest.fixture(scope="session")
def roles() -> Roles:
    """Roles of another name than the product's: nothing may depend on the usual one."""
    return Roles("tenancy")


@pytest.fixture(scope="session")
def own_logins(servers, roles) -> Logins:
    """One migrated database for all tests here: they share it and clean up after themselves."""
    logins = provision(servers.servers.admin_url, database="tenancy", prefix=roles.prefix)
    upgrade(logins.owner)
    return logins


@pytest.fixture
async def panel(own_logins) -> AsyncIterator[Database]:
    """The doors of a panel."""
    database = Database(own_logins.app, pool_size=4)
    yield database
    await database.close()


@pytest.fixture
async def worker_doors(own_logins) -> AsyncIterator[Database]:
    """The doors of a worker, the planner's among them."""
    database = Database(own_logins.worker, planner_url=own_logins.planner, pool_size=4)
    yield database
    await database.close()


@pytest.fixture
async def owner(own_logins) -> AsyncIterator[asyncpg.Connection]:
    """The owner's connection, in a transaction that is undone."""
    connection = await asyncpg.connect(own_logins.owner)
    transaction = connection.transaction()
    await transaction.start()
    yield connection
    await transaction.rollback()
    await connection.close()


@pytest.fixture(scope="session", autouse=True)
def partitions(own_logins) -> None:
    """This month and today: without a partition nothing can be written."""

    async def make() -> None:
        connection = await asyncpg.connect(own_logins.planner)
        await connection.execute("SELECT ensure_month(current_date)")
        await connection.execute("SELECT ensure_day(current_date)")
        await connection.close()

    asyncio.run(make())
