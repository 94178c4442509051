"""Ten thousand transactions of two companies, in any order, on three connections of each door."""

import asyncio
import random
from collections import Counter

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, StatementError

from prawko_tenants.engine import Database

pytestmark = pytest.mark.anyio

TRANSACTIONS = 10_000
AT_ONCE = 12
SEEN = text("SELECT tenant_id FROM driver")
SEEN_AS_JSON = """
    SELECT json_agg(DISTINCT tenant_id) FROM driver WHERE bound.tenant_id IS NOT NULL
"""
FAILING_JSON = "SELECT to_json(1 / 0) FROM driver WHERE bound.tenant_id IS NOT NULL"


class StrangerError(Exception):
    """A row of a wrong company, or none of the own."""


async def look(session, company):
    seen = set((await session.scalars(SEEN)).all())
    if seen != {company.id}:
        raise StrangerError(seen)


async def reads(database, company):
    async with database.tenant(company.id) as session:
        await look(session, company)


async def commits_and_goes_on(database, company):
    async with database.tenant(company.id) as session:
        await look(session, company)
        await session.commit()
        await look(session, company)


async def rolls_back_and_goes_on(database, company):
    async with database.tenant(company.id) as session:
        await look(session, company)
        await session.rollback()
        await look(session, company)


async def after_a_look(database, company, statement, **values):
    async with database.tenant(company.id) as session:
        await look(session, company)
        await session.execute(text(statement), values)


async def fails_in_the_database(database, company):
    with pytest.raises(DBAPIError, match="division by zero"):
        await after_a_look(database, company, "SELECT 1 / 0")


async def fails_in_python(database, company):
    with pytest.raises(StatementError, match="A value is required"):
        await after_a_look(database, company, "SELECT :nothing")


async def is_cancelled(database, company):
    slow = after_a_look(database, company, "SELECT pg_sleep(10)")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(slow, timeout=random.uniform(0.001, 0.02))


async def sets_for_the_whole_connection(database, company):
    """What no code of ours does: it must not reach whoever has the connection next."""
    whole = "SELECT set_config('app.tenant_id', :id, false)"
    await after_a_look(database, company, whole, id=str(company.id))


async def loses_its_connection(database, company):
    with pytest.raises(DBAPIError):
        await after_a_look(database, company, "SELECT pg_terminate_backend(pg_backend_pid())")


async def belongs_to_nobody(database, _company):
    async with database.system() as session:
        seen = set((await session.scalars(SEEN)).all())
    if seen:
        raise StrangerError(seen)


async def reads_json(database, company):
    seen = await database.read(company.id).json(SEEN_AS_JSON)
    if seen != f'["{company.id}"]'.encode():
        raise StrangerError(seen)


async def is_cancelled_while_reading_json(database, company):
    slow = "SELECT to_json(bound.tenant_id) FROM pg_sleep(10)"
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(
            database.read(company.id).json(slow), timeout=random.uniform(0.001, 0.02)
        )


async def fails_while_reading_json(database, company):
    with pytest.raises(asyncpg.DivisionByZeroError):
        await database.read(company.id).json(FAILING_JSON)


async def reads_as_nobody(database, _company):
    seen = await database.fetch_global("SELECT count(*) AS n FROM driver")
    if seen["n"]:
        raise StrangerError(seen)


# How often each happens, out of a hundred.
HABITS = {
    reads: 30,
    commits_and_goes_on: 10,
    rolls_back_and_goes_on: 5,
    fails_in_python: 5,
    fails_in_the_database: 5,
    is_cancelled: 2,
    sets_for_the_whole_connection: 6,
    loses_its_connection: 1,
    belongs_to_nobody: 10,
    reads_json: 15,
    is_cancelled_while_reading_json: 2,
    fails_while_reading_json: 4,
    reads_as_nobody: 5,
}


async def test_no_row_of_a_wrong_company_in_ten_thousand_transactions(own_logins, acme, rival):
    database = Database(own_logins.app, pool_size=3)
    chance = random.Random(20261121)
    todo = iter(chance.choices(list(HABITS), weights=list(HABITS.values()), k=TRANSACTIONS))
    done: Counter[str] = Counter()

    async def client() -> None:
        for habit in todo:
            company = acme if done.total() % 2 else rival
            await habit(database, company)
            done[habit.__name__] += 1

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(client())
    await database.close()

    assert done.total() == TRANSACTIONS
    assert set(done) == {habit.__name__ for habit in HABITS}
