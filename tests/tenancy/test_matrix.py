"""Tenant isolation of every table, command and login.

A session of another company, of none, with an empty or a malformed setting reads and writes no
row. Each case first runs the statement in the company's own session, where it must work.
"""

import asyncio
import re
from dataclasses import replace
from string import Template

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.policies import (
    CONTROL_TABLES,
    CROSS_TENANT_POLICIES,
    MEMBER_TABLES,
    TENANT_TABLES,
)

pytestmark = pytest.mark.anyio

TABLES = TENANT_TABLES | CONTROL_TABLES
VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE")
BINDINGS = ("foreign", "unset", "empty", "garbage")
LOGINS = ("app", "worker", "operator", "owner")
# What operators see of all companies, in sessions of none.
OPERATOR_LISTS = {one.table for one in CROSS_TENANT_POLICIES if one.role == "operator"}

# A column that every login with any right to update may set.
SETTABLE = {
    "tenant": "city",
    "register_answer": "raw",
    "verification": "outcome",
    "support_ticket": "forwarded_at",
    "invoice": "next_attempt_at",
    "alert_recipient": "email_state",
}
# A login may write some columns of these, but not the company.
SETS_COLUMNS = {
    "app": {"tenant", "alert_recipient"},
    "worker": {"register_answer", "support_ticket", "invoice", "alert_recipient"},
}
OPERATOR_SETS = {
    "tenant": "updated_at", "subscription": "status", "payment": "reason = NULL",
    "support_ticket": "answered_at", "delivery": "state",
}  # fmt: skip


@pytest.fixture(scope="session")
def urls(tenancy_logins):
    return vars(tenancy_logins)


@pytest.fixture(scope="session")
def granted_rights(tenancy_logins, roles):
    """The rights of each login on each table, or on some of its columns."""

    async def read() -> set[tuple[str, str, str]]:
        connection = await asyncpg.connect(tenancy_logins.owner)
        rows = await connection.fetch(
            "SELECT login, verb, name FROM unnest($1::text[], $2::text[]) AS l (login, role),"
            " unnest($3::text[]) AS verb, unnest($4::text[]) AS name"
            " WHERE CASE verb WHEN 'DELETE' THEN has_table_privilege(role, name, verb)"
            " ELSE has_any_column_privilege(role, name, verb) END",
            list(LOGINS),
            [roles.as_dict()[login] for login in LOGINS],
            list(VERBS),
            list(TABLES),
        )
        await connection.close()
        return {tuple(row) for row in rows}

    rights = asyncio.run(read())
    return lambda login, verb, table: (login, verb, table) in rights


@pytest.fixture(scope="module")
async def databases(urls):
    """Database access of each login: one for all cases, each of which is shorter than a sign-in."""
    opened = {login: Database(urls[login], pool_size=1) for login in LOGINS}
    yield opened
    for database in opened.values():
        await database.close()


@pytest.fixture
def database(databases, request):
    return databases[request.param]


def build_statement(verb, table, company, login=""):
    """A statement on one company's rows, with named parameters."""
    column = TABLES[table]
    if verb == "INSERT":
        sql, values = company.insert_statement(table, new_id())
        return Template(sql).substitute({name: f"CAST(:{name} AS uuid)" for name in values}), values
    # An answer that a verification references cannot be deleted.
    retained = {"answer": company.answer} if table == "register_answer" else {}
    exclusion = " AND id <> :answer" if retained else ""
    settable = SETTABLE.get(table, "id" if table != "check_item" else "state")
    if login == "operator":
        settable = OPERATOR_SETS.get(table, settable)
    assignment = settable if "=" in settable else f"{settable} = {settable}"
    if (login, table, verb) == ("worker", "acknowledgement", "SELECT"):  # it reads no company
        sql = f"SELECT driver_id FROM {table} WHERE driver_id = :driver"
        return sql, {"driver": company.driver}
    return {
        "SELECT": f"SELECT {column} FROM {table} WHERE {column} = :company",
        "UPDATE": f"UPDATE {table} SET {assignment} WHERE {column} = :company",
        "DELETE": f"DELETE FROM {table} WHERE {column} = :company",
    }[verb] + exclusion, {"company": company.id, **retained}


async def count_rows_touched(session, sql, values):
    """How many rows a statement reads or writes; rolled back afterwards."""
    try:
        result = await session.execute(text(sql), values)
        count = len(result.all()) if result.returns_rows else result.rowcount
    except DBAPIError as error:
        await session.rollback()
        return str(error.orig)
    await session.rollback()
    return count


def open_session(database, binding, acme):
    """A session with this binding."""
    if binding == "unset":  # a session without `Database`
        return AsyncSession(database._engine)
    if binding == "empty":
        return database.system()
    return database.tenant(TenantId("no-id-at-all") if binding == "garbage" else acme.id)


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("database", LOGINS, indirect=True)
async def test_a_session_touches_no_row_of_another_company(
    database, urls, request, table, verb, binding, acme, rival, granted_rights
):
    login = request.node.callspec.params["database"]
    is_registration = (table, verb) == ("tenant", "INSERT")
    target = replace(rival, id=TenantId(new_id())) if is_registration else rival
    sql, values = build_statement(verb, table, target, login)

    async with database.tenant(target.id) as session:
        own_count = await count_rows_touched(session, sql, values)
    async with open_session(database, binding, acme) as session:
        foreign_count = await count_rows_touched(session, sql, values)

    if not granted_rights(login, verb, table):
        assert "permission denied" in str(own_count)
        refusal = "permission denied" if binding != "garbage" else "permission denied|invalid input"
        assert re.match(f".*({refusal})", str(foreign_count))
        return
    assert own_count in range(1, 10), own_count
    if login == "worker" and table in CONTROL_TABLES:  # listed in CROSS_TENANT_POLICIES
        assert foreign_count == own_count or "invalid input syntax for type uuid" in str(
            foreign_count
        )
    elif binding == "garbage":
        assert "invalid input syntax for type uuid" in foreign_count
    elif (login, verb) == ("operator", "SELECT") and table in OPERATOR_LISTS:
        assert foreign_count == (0 if binding == "foreign" else own_count)
    elif verb == "INSERT":
        assert "new row violates row-level security policy" in foreign_count
    else:
        assert foreign_count == 0


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("database", LOGINS, indirect=True)
async def test_no_row_can_be_moved_to_another_company(
    database, request, table, acme, rival, granted_rights
):
    login = request.node.callspec.params["database"]
    column = TABLES[table]
    update = f"UPDATE {table} SET {column} = :rival WHERE {column} = :acme"

    async with database.tenant(acme.id) as session:
        outcome = await count_rows_touched(session, update, {"acme": acme.id, "rival": rival.id})

    if login == "worker" and table in CONTROL_TABLES:
        assert outcome == 1
    elif login == "operator" or table in SETS_COLUMNS.get(login, ()):
        assert "permission denied" in outcome
    elif granted_rights(login, "UPDATE", table):
        assert "new row violates row-level security policy" in outcome
    else:
        assert "permission denied" in outcome


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("database", ["app"], indirect=True)
async def test_the_reader_shows_no_row_of_another_company(database, table, binding, acme, rival):
    column = TABLES[table]
    count = f"SELECT to_json(count({column})) FROM {table} WHERE {column} = $2"
    asked = f"{count} AND bound.tenant_id IS NOT NULL"

    assert int(await database.reader(rival.id).fetch_json(asked, rival.id)) in range(1, 10)

    if binding == "unset":
        row = await database.fetch_global(count.replace("$2", "$1"), rival.id)
        assert int(row[0]) == 0
    elif binding == "foreign":
        assert await database.reader(acme.id).fetch_json(asked, rival.id) == b"0"
    else:
        reader = database.reader(TenantId("" if binding == "empty" else "no-id-at-all"))
        with pytest.raises(asyncpg.InvalidTextRepresentationError):
            await reader.fetch_json(asked, rival.id)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("database", ["app"], indirect=True)
async def test_the_reader_shows_nothing_if_it_reads_before_it_sets_the_company(
    database, table, rival
):
    """The body is made independent of `bound`, so that PostgreSQL may run it first."""
    column = TABLES[table]
    pool = database.reader(rival.id)._pool

    read_first = await pool.fetch_row(
        f"WITH x AS MATERIALIZED (SELECT count(*) AS n FROM {table} WHERE {column} = $2)"
        " SELECT (SELECT n FROM x), set_config('app.tenant_id', $1, true)",
        str(rival.id),
        rival.id,
    )

    assert read_first["n"] == 0


@pytest.mark.parametrize("partition", ["verification_", "check_item_"])
@pytest.mark.parametrize("database", LOGINS, indirect=True)
async def test_a_partition_does_not_bypass_the_policies(database, request, partition, acme, rival):
    async with database.system() as session:
        name = await session.scalar(
            text("SELECT min(relname) FROM pg_class WHERE relispartition AND relname LIKE :name"),
            {"name": f"{partition}______%"},
        )
    select_own = f"SELECT tenant_id FROM {name} WHERE tenant_id = :company"

    async with database.tenant(acme.id) as session:
        own_count = await count_rows_touched(session, select_own, {"company": acme.id})
        foreign_count = await count_rows_touched(session, select_own, {"company": rival.id})

    if request.node.callspec.params["database"] == "owner":
        assert (own_count, foreign_count) == (1, 0)
    else:
        assert "permission denied" in str(own_count)
        assert "permission denied" in str(foreign_count)


async def test_every_tenant_and_control_table_is_in_the_matrix(owner_connection):
    """The positive controls would miss a table without a row."""
    columns = await owner_connection.fetch(
        "SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relispartition"
    )

    assert {row["relname"] for row in columns} == set(TABLES) | MEMBER_TABLES
