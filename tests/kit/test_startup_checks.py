"""The mistakes with which a process refuses to start, each said in one line."""

import re
import socket

import pytest

from prawko.hooks.environment import SettingsError
from prawko.kit.settings_validation import load_settings
from prawko.kit.startup_checks import (
    SCHEMA_VERSION,
    SchemaError,
    require_free_port,
    require_schema,
)
from prawko_migrations import render_sql
from support.database import execute_as_owner

pytestmark = pytest.mark.anyio


@pytest.fixture
async def set_schema(logins):
    """Sets the number that the database says of its schema; set back afterwards."""

    async def set_version(version: str) -> None:
        await execute_as_owner(logins, f"UPDATE alembic_version SET version_num = '{version}'")

    yield set_version
    await set_version(SCHEMA_VERSION)


def test_the_release_needs_the_newest_migration():
    assert re.findall(r"version_num='(\d+)'", render_sql())[-1] == SCHEMA_VERSION


@pytest.mark.parametrize("version", [SCHEMA_VERSION, "0999"])
async def test_a_current_or_newer_schema_is_accepted(context, worker, console, set_schema, version):
    await set_schema(version)

    for each in (context, worker, console):
        await require_schema(each.database)


async def test_an_older_schema_is_refused_and_not_ready(context, set_schema, new_browser):
    await set_schema("0012")

    with pytest.raises(SchemaError, match=r"has schema 0012, and \d+ is needed: run `prawko db m"):
        await require_schema(context.database)
    answer = await new_browser().get("/health/ready")
    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")


async def test_a_database_without_a_schema_is_refused(context, logins):
    await execute_as_owner(logins, "ALTER TABLE alembic_version RENAME TO alembic_version_away")
    try:
        with pytest.raises(SchemaError, match="has no schema that this login may read"):
            await require_schema(context.database)
    finally:
        await execute_as_owner(logins, "ALTER TABLE alembic_version_away RENAME TO alembic_version")


def test_a_taken_port_is_refused_also_where_it_could_be_shared(variables):
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        settings = load_settings({**variables, "HOST": "127.0.0.1", "PORT": str(port)})
        with pytest.raises(SettingsError, match=f"PORT cannot be {port} "):
            require_free_port(settings)
    require_free_port(settings)
