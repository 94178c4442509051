"""The rights that PostgreSQL gives every login, and no login of the product has."""

import asyncpg
import pytest

from prawko_tenants.urls import to_asyncpg_dsn

pytestmark = pytest.mark.anyio

LOGINS = ("app", "worker", "planner", "operator", "backup")


@pytest.mark.parametrize("login", LOGINS)
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'names')",
        "SELECT lo_put(1, 0, 'names')",
        "SELECT lo_get(1)",
        "SELECT lo_unlink(1)",
        "SELECT lo_open(1, 131072)",
        "SELECT pg_advisory_lock(hashtext('prawko_migrations'))",
        "SELECT pg_try_advisory_lock(1)",
        "SELECT pg_advisory_lock_shared(1, 2)",
        "SELECT dblink('')",
    ],
)
async def test_no_login_stores_objects_or_keeps_locks(open_connection, login, statement):
    connection = await open_connection(login)

    with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.UndefinedFunctionError)):
        await connection.execute(statement)


@pytest.mark.parametrize("login", LOGINS)
@pytest.mark.parametrize("database", ["postgres", "template1"])
async def test_no_login_connects_to_another_database(tenancy_logins, login, database):
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied for database"):
        await asyncpg.connect(to_asyncpg_dsn(getattr(tenancy_logins, login)), database=database)


@pytest.mark.parametrize(
    "table", ["user_account", "membership", "tenant", "login_session", "user_activity"]
)
@pytest.mark.parametrize("mode", ["SHARE", "ACCESS EXCLUSIVE"])
async def test_the_panel_cannot_keep_everybody_from_signing_in(open_connection, table, mode):
    panel = await open_connection("app")

    async with panel.transaction():
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await panel.execute(f"LOCK TABLE {table} IN {mode} MODE NOWAIT")


@pytest.mark.parametrize("login", ["app", "operator"])
async def test_a_transaction_and_with_it_its_locks_end(open_connection, login):
    connection = await open_connection(login)

    if connection.get_server_version().major >= 17:
        assert await connection.fetchval("SHOW transaction_timeout") == "5min"
    assert await connection.fetchval("SHOW idle_in_transaction_session_timeout") == "1min"


@pytest.mark.parametrize("login", ["worker", "planner", "operator"])
@pytest.mark.parametrize(
    "column",
    [
        "password_hash FROM user_account",
        "digest FROM operator_password",
        "code_hash FROM one_time_code",
        "secret FROM second_factor",
        "code_hash FROM recovery_code",
    ],
)
async def test_what_signs_people_in_is_read_by_the_panel_alone(open_connection, login, column):
    connection = await open_connection(login)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.fetch(f"SELECT {column}")
