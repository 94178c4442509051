"""No company's row ever shows under another's binding, none, an empty one, or garbage.

Every table that knows a company, every verb, every login that works on it. Each cell first
tries the statement where it must work, so that a refusal proves something.
"""

import asyncio
from dataclasses import replace
from string import Template

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.policies import CONTROL_TABLES, TENANT_TABLES

pytestmark = pytest.mark.anyio

TABLES = TENANT_TABLES | CONTROL_TABLES
VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE")
BINDINGS = ("foreign", "unset", "empty", "garbage")
LOGINS = ("app", "worker", "owner")

# A column that a login with any right to update may set.
SETTABLE = {
    "tenant": "city",
    "register_answer": "raw",
    "verification": "outcome",
    "support_ticket": "passed_on_at",
    "invoice": "due_at",
}
# What the worker may write in some columns, it may not move.
WORKER_SETS = {"register_answer", "support_ticket", "invoice"}


@pytest.fixture(scope="session")
def urls(own_logins):
    return vars(own_logins)


@pytest.fixture(scope="session")
def may(own_logins, roles):
    """Which login has which right on which table, or on some of its columns."""

    async def read() -> set[tuple[str, str, str]]:
        connection = await asyncpg.connect(own_logins.owner)
        rows = await connection.fetch(
            "SELECT login, verb, name FROM unnest($1::text[], $2::text[]) AS l (login, role),"
            " unnest($3::text[]) AS verb, unnest($4::text[]) AS name"
            " WHERE CASE verb WHEN 'DELETE' THEN has_table_privilege(role, name, verb)"
            " ELSE has_any_column_privilege(role, name, verb) END",
            list(LOGINS),
            [roles.named()[login] for login in LOGINS],
            list(VERBS),
            list(TABLES),
        )
        await connection.close()
        return {tuple(row) for row in rows}

    rights = asyncio.run(read())
    return lambda login, verb, table: (login, verb, table) in rights


@pytest.fixture
async def doors(urls, request):
    database = Database(urls[request.param], pool_size=1)
    yield database
    await database.close()


def statement(verb, table, company):
    """What aims at one company's rows, with named parameters."""
    column = TABLES[table]
    if verb == "INSERT":
        sql, values = company.row(table, new_id())
        return Template(sql).substitute({w: f"CAST(:{w} AS uuid)" for w in values}), values
    # An answer that a verification points to stays, whoever asks.
    kept = {"answer": company.answer} if table == "register_answer" else {}
    aside = " AND id <> :answer" if kept else ""
    settable = SETTABLE.get(table, "id" if table != "check_item" else "state")
    return {
        "SELECT": f"SELECT {column} FROM {table} WHERE {column} = :company",
        "UPDATE": f"UPDATE {table} SET {settable} = {settable} WHERE {column} = :company",
        "DELETE": f"DELETE FROM {table} WHERE {column} = :company",
    }[verb] + aside, {"company": company.id, **kept}


async def rows_touched(session, sql, values):
    """How many rows a statement reads or writes; undone afterwards."""
    try:
        done = await session.execute(text(sql), values)
        count = len(done.all()) if done.returns_rows else done.rowcount
    except DBAPIError as error:
        await session.rollback()
        return str(error.orig)
    await session.rollback()
    return count


def bound(database, binding, acme):
    """A session as each binding makes it."""
    if binding == "unset":  # somebody went past the door
        return AsyncSession(database._engine)
    if binding == "empty":
        return database.system()
    return database.tenant(TenantId("no-id-at-all") if binding == "garbage" else acme.id)


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("doors", LOGINS, indirect=True)
async def test_a_session_touches_no_row_of_another_company(
    doors, urls, request, table, verb, binding, acme, rival, may
):
    login = request.node.callspec.params["doors"]
    founding = (table, verb) == ("tenant", "INSERT")
    target = replace(rival, id=TenantId(new_id())) if founding else rival
    sql, values = statement(verb, table, target)

    async with doors.tenant(target.id) as session:
        own = await rows_touched(session, sql, values)
    async with bound(doors, binding, acme) as session:
        foreign = await rows_touched(session, sql, values)

    if not may(login, verb, table):
        assert "permission denied" in str(own)
        assert "permission denied" in str(foreign)
        return
    assert own in range(1, 10), own
    if login == "worker" and table in CONTROL_TABLES:  # on the list of wide policies
        assert foreign == own or "invalid input syntax for type uuid" in str(foreign)
    elif binding == "garbage":
        assert "invalid input syntax for type uuid" in foreign
    elif verb == "INSERT":
        assert "new row violates row-level security policy" in foreign
    else:
        assert foreign == 0


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("doors", LOGINS, indirect=True)
async def test_no_row_is_given_to_another_company(doors, request, table, acme, rival, may):
    login = request.node.callspec.params["doors"]
    column = TABLES[table]
    given = f"UPDATE {table} SET {column} = :rival WHERE {column} = :acme"

    async with doors.tenant(acme.id) as session:
        outcome = await rows_touched(session, given, {"acme": acme.id, "rival": rival.id})

    if login == "worker" and table in CONTROL_TABLES:
        assert outcome == 1
    elif login == "worker" and table in WORKER_SETS:
        assert "permission denied" in outcome
    elif may(login, "UPDATE", table):
        assert "new row violates row-level security policy" in outcome
    else:
        assert "permission denied" in outcome


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("doors", ["app"], indirect=True)
async def test_the_reader_shows_no_row_of_another_company(doors, table, binding, acme, rival):
    column = TABLES[table]
    count = f"SELECT to_json(count({column})) FROM {table} WHERE {column} = $2"
    asked = f"{count} AND bound.tenant_id IS NOT NULL"

    assert int(await doors.read(rival.id).json(asked, rival.id)) in range(1, 10)

    if binding == "unset":
        row = await doors.fetch_global(count.replace("$2", "$1"), rival.id)
        assert int(row[0]) == 0
    elif binding == "foreign":
        assert await doors.read(acme.id).json(asked, rival.id) == b"0"
    else:
        reader = doors.read(TenantId("" if binding == "empty" else "no-id-at-all"))
        with pytest.raises(asyncpg.InvalidTextRepresentationError):
            await reader.json(asked, rival.id)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("doors", ["app"], indirect=True)
async def test_the_reader_would_show_nothing_if_it_read_before_it_bound(doors, table, rival):
    """The body is made independent of `bound`, so that PostgreSQL may run it first."""
    column = TABLES[table]
    door = doors.read(rival.id)._door

    read_first = await door.fetch_row(
        f"WITH x AS MATERIALIZED (SELECT count(*) AS n FROM {table} WHERE {column} = $2)"
        " SELECT (SELECT n FROM x), set_config('app.tenant_id', $1, true)",
        str(rival.id),
        rival.id,
    )

    assert read_first["n"] == 0


@pytest.mark.parametrize("partition", ["verification_", "check_item_"])
@pytest.mark.parametrize("doors", LOGINS, indirect=True)
async def test_a_partition_is_no_way_in(doors, request, partition, acme, rival):
    async with doors.system() as session:
        name = await session.scalar(
            text("SELECT min(relname) FROM pg_class WHERE relispartition AND relname LIKE :name"),
            {"name": f"{partition}______%"},
        )
    aimed = f"SELECT tenant_id FROM {name} WHERE tenant_id = :company"

    async with doors.tenant(acme.id) as session:
        own = await rows_touched(session, aimed, {"company": acme.id})
        foreign = await rows_touched(session, aimed, {"company": rival.id})

    if request.node.callspec.params["doors"] == "owner":
        assert (own, foreign) == (1, 0)
    else:
        assert "permission denied" in str(own)
        assert "permission denied" in str(foreign)


async def test_every_table_of_the_two_classes_is_in_the_matrix(owner):
    """The positive controls would miss a table that the rows leave out."""
    found = await owner.fetch(
        "SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relispartition"
    )

    assert {row["relname"] for row in found} == set(TABLES)
