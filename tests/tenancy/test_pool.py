"""Ten thousand transactions of two companies, in random order, on three connections."""

import asyncio
import random
from collections import Counter
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, StatementError

from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId

pytestmark = pytest.mark.anyio

TRANSACTIONS = 10_000
CONCURRENCY = 12
VISIBLE_TENANTS = text("SELECT tenant_id FROM driver")
VISIBLE_TENANTS_JSON = """
    SELECT json_agg(DISTINCT tenant_id) FROM driver WHERE bound.tenant_id IS NOT NULL
"""
FAILING_JSON = "SELECT to_json(1 / 0) FROM driver WHERE bound.tenant_id IS NOT NULL"


class ForeignRowError(Exception):
    """A row of another company was visible, or none of the own."""


async def assert_own_rows(session, company):
    visible = set((await session.scalars(VISIBLE_TENANTS)).all())
    if visible != {company.id}:
        raise ForeignRowError(visible)


async def read_rows(database, company):
    async with database.tenant(company.id) as session:
        await assert_own_rows(session, company)


async def commit_and_continue(database, company):
    async with database.tenant(company.id) as session:
        await assert_own_rows(session, company)
        await session.commit()
        await assert_own_rows(session, company)


async def roll_back_and_continue(database, company):
    async with database.tenant(company.id) as session:
        await assert_own_rows(session, company)
        await session.rollback()
        await assert_own_rows(session, company)


async def execute_after_check(database, company, statement, **values):
    async with database.tenant(company.id) as session:
        await assert_own_rows(session, company)
        await session.execute(text(statement), values)


async def fail_in_database(database, company):
    with pytest.raises(DBAPIError, match="division by zero"):
        await execute_after_check(database, company, "SELECT 1 / 0")


async def fail_in_python(database, company):
    with pytest.raises(StatementError, match="A value is required"):
        await execute_after_check(database, company, "SELECT :nothing")


async def cancel_query(database, company):
    slow_query = execute_after_check(database, company, "SELECT pg_sleep(10)")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(slow_query, timeout=random.uniform(0.001, 0.02))


async def set_tenant_on_connection(database, company):
    """Set the company for the whole connection: the next user of it must not be affected."""
    set_for_session = "SELECT set_config('app.tenant_id', :id, false)"
    await execute_after_check(database, company, set_for_session, id=str(company.id))


async def lose_connection(database, company):
    with pytest.raises(DBAPIError):
        await execute_after_check(
            database, company, "SELECT pg_terminate_backend(pg_backend_pid())"
        )


async def read_without_tenant(database, _company):
    async with database.system() as session:
        visible = set((await session.scalars(VISIBLE_TENANTS)).all())
    if visible:
        raise ForeignRowError(visible)


async def read_json(database, company):
    visible = await database.reader(company.id).fetch_json(VISIBLE_TENANTS_JSON)
    if visible != f'["{company.id}"]'.encode():
        raise ForeignRowError(visible)


async def cancel_json_query(database, company):
    slow_query = "SELECT to_json(bound.tenant_id) FROM pg_sleep(10)"
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(
            database.reader(company.id).fetch_json(slow_query), timeout=random.uniform(0.001, 0.02)
        )


async def fail_in_json_query(database, company):
    with pytest.raises(asyncpg.DivisionByZeroError):
        await database.reader(company.id).fetch_json(FAILING_JSON)


async def read_global(database, _company):
    rows = await database.fetch_global("SELECT count(*) AS n FROM driver")
    if rows["n"]:
        raise ForeignRowError(rows)


# Frequency of each operation in percent.
WORKLOAD = {
    read_rows: 30,
    commit_and_continue: 10,
    roll_back_and_continue: 5,
    fail_in_python: 5,
    fail_in_database: 5,
    cancel_query: 2,
    set_tenant_on_connection: 6,
    lose_connection: 1,
    read_without_tenant: 10,
    read_json: 15,
    cancel_json_query: 2,
    fail_in_json_query: 4,
    read_global: 5,
}


async def test_ten_thousand_transactions_see_no_row_of_another_company(tenancy_logins, acme, rival):
    # No transaction may fail because a busy machine lets it wait for one of three connections.
    database = Database(tenancy_logins.app, pool_size=3, pool_timeout=120)
    chance = random.Random(20261121)
    steps = iter(chance.choices(list(WORKLOAD), weights=list(WORKLOAD.values()), k=TRANSACTIONS))
    completed: Counter[str] = Counter()

    async def client() -> None:
        for operation in steps:
            company = acme if completed.total() % 2 else rival
            await operation(database, company)
            completed[operation.__name__] += 1

    async with asyncio.TaskGroup() as tasks:
        for _ in range(CONCURRENCY):
            tasks.create_task(client())
    await database.close()

    assert completed.total() == TRANSACTIONS
    assert set(completed) == {operation.__name__ for operation in WORKLOAD}


async def test_heavy_reads_leave_connections_for_finding_out_who_calls(
    tenancy_logins, acme
) -> None:
    """Else a few of each of many companies would hold up every request of everybody."""
    database = Database(tenancy_logins.app, pool_size=4)
    slow_read = "SELECT to_json(pg_sleep(15)::text) WHERE bound.tenant_id IS NOT NULL"
    try:
        reads = [
            asyncio.create_task(database.reader(TenantId(uuid4())).fetch_json(slow_read))
            for _ in range(8)
        ]
        await asyncio.sleep(0.5)
        async with asyncio.timeout(10):
            assert (await database.fetch_global("SELECT 1 AS one"))["one"] == 1
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)
        assert (
            await database.reader(acme.id).fetch_json(
                "SELECT to_json(1) WHERE bound.tenant_id IS NOT NULL"
            )
            == b"1"
        )
    finally:
        await database.close()


async def test_a_heavy_read_waits_no_longer_than_the_pools_time(tenancy_logins, acme) -> None:
    database = Database(tenancy_logins.app, pool_size=3, pool_timeout=0.3)
    slow_read = "SELECT to_json(pg_sleep(2)::text) WHERE bound.tenant_id IS NOT NULL"
    try:
        first = asyncio.create_task(database.reader(acme.id).fetch_json(slow_read))
        await asyncio.sleep(0.1)
        with pytest.raises(TimeoutError):
            await database.reader(acme.id).fetch_json(slow_read)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
    finally:
        await database.close()


async def test_lists_that_one_company_asks_for_delay_no_others(tenancy_logins, acme, rival) -> None:
    database = Database(tenancy_logins.app)
    slow_read = "SELECT to_json(pg_sleep(15)::text) WHERE bound.tenant_id IS NOT NULL"
    try:
        reads = [
            asyncio.create_task(database.reader(acme.id).fetch_json(slow_read)) for _ in range(30)
        ]
        await asyncio.sleep(0.5)
        async with asyncio.timeout(10):
            await read_json(database, rival)
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)
        await read_json(database, acme)
    finally:
        await database.close()
