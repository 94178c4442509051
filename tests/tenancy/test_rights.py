"""The acts forbidden to every login; test_used_rights has the rights on tables."""

import asyncpg
import pytest
from sqlalchemy import text

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("login", ["app", "worker", "planner", "operator", "backup"])
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE TEMP TABLE mine (id int)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE driver DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant_isolation ON driver",
        "TRUNCATE throttle",
        "COPY driver TO PROGRAM 'cat'",
        "SET ROLE {owner}",
        "SET SESSION AUTHORIZATION {owner}",
        "ALTER ROLE {app} BYPASSRLS",
        "CREATE EXTENSION plpgsql",
        "SELECT pg_read_file('PG_VERSION')",
    ],
)
async def test_no_login_can_extend_its_rights(open_connection, roles, login, statement):
    connection = await open_connection(login)

    with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.DuplicateObjectError)):
        await connection.execute(statement.format(**roles.as_dict()))


async def test_turning_row_security_off_is_an_error(open_connection):
    for login in ("app", "worker", "owner"):
        connection = await open_connection(login)
        await connection.execute("SET row_security = off")

        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
            await connection.fetch("SELECT id FROM driver")


async def test_the_planner_reads_ids_and_states_of_drivers_only(open_connection, acme, rival):
    planner = await open_connection("planner")

    due = await planner.fetch("SELECT tenant_id, id, document_version, status FROM driver")
    assert {acme.id, rival.id} <= {row["tenant_id"] for row in due}
    for column in ("first_name", "last_name", "license_number", "latest", "verified_at"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await planner.fetch(f"SELECT {column} FROM driver")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await planner.execute("UPDATE driver SET status = 'valid'")


async def test_operators_read_names_of_the_bound_companys_drivers_only(
    open_connection, acme, rival
):
    operator = await open_connection("operator")
    select_companies = "SELECT DISTINCT tenant_id FROM company_drivers() WHERE first_name <> ''"

    async def read_as(company: str) -> list[object]:
        async with operator.transaction():
            await operator.execute("SELECT set_config('app.tenant_id', $1, true)", company)
            return [row["tenant_id"] for row in await operator.fetch(select_companies)]

    everywhere = await operator.fetch("SELECT DISTINCT tenant_id FROM driver")
    assert {acme.id, rival.id} <= {row["tenant_id"] for row in everywhere}
    assert await operator.fetch(select_companies) == []
    assert await read_as("") == []
    assert await read_as(str(acme.id)) == [acme.id]
    for column in ("first_name", "last_name", "license_number", "latest", "created_by"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await operator.fetch(f"SELECT {column} FROM driver")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await operator.fetch("SELECT phone_number FROM user_account")


async def test_the_planner_plans_for_all_companies_in_one_statement(
    worker_database, owner_connection
):
    plan = text("""
        INSERT INTO check_item (day, tenant_id, driver_id, document_version, next_try_at)
        SELECT current_date, d.tenant_id, d.id, d.document_version, now()
        FROM (SELECT tenant_id, id, document_version, row_number() OVER (
                  PARTITION BY tenant_id ORDER BY id) AS place FROM driver) AS d
        JOIN (SELECT DISTINCT ON (tenant_id) tenant_id, status, driver_limit, end_date
              FROM subscription ORDER BY tenant_id, id DESC) AS s USING (tenant_id)
        WHERE s.status = 'active' AND s.end_date > now() AND d.place <= s.driver_limit
        ON CONFLICT DO NOTHING
    """)
    async with worker_database.planner() as session:
        planned_count = (await session.execute(plan)).rowcount
        second_count = (await session.execute(plan)).rowcount
        await session.rollback()

    assert planned_count >= 2
    assert second_count == 0


async def test_only_the_backup_reads_every_company(open_connection, acme, rival, tmp_path):
    backup = await open_connection("backup")
    partition = await backup.fetchval(
        "SELECT to_char(now() AT TIME ZONE 'UTC', '\"verification_\"YYYYMM')"
    )

    for table in ("driver", partition):  # a dump reads partitions one by one
        copy = tmp_path / table
        await backup.copy_from_query(f"SELECT tenant_id FROM {table}", output=copy)
        assert {str(acme.id), str(rival.id)} <= set(copy.read_text().split())
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await backup.execute("UPDATE driver SET status = 'valid'")
