"""Connections that the tests keep open are as new ones to the test that takes them."""

from contextlib import suppress

import asyncpg
import pytest

from support.fleet import superuser_url

pytestmark = pytest.mark.anyio


@pytest.fixture
def connect(servers, logins):
    return lambda: asyncpg.connect(superuser_url(servers, logins))


async def test_a_kept_connection_has_no_state_of_the_test_before(connect) -> None:
    first = await connect()
    await first.execute("SET app.tenant_id = 'rival'; SELECT pg_advisory_lock(1); LISTEN news")
    process = first.get_server_pid()
    await first.close()

    second = await connect()

    assert second.get_server_pid() == process
    assert not await second.fetchval("SELECT current_setting('app.tenant_id', true)")
    assert not await second.fetch("SELECT pg_listening_channels()")
    assert not await second.fetch("SELECT FROM pg_locks WHERE locktype = 'advisory'")
    await second.close()


@pytest.mark.parametrize("statement", ["BEGIN", "SELECT pg_terminate_backend(pg_backend_pid())"])
async def test_one_within_a_transaction_or_ended_by_the_server_is_not_kept(
    connect, statement
) -> None:
    first = await connect()
    process = first.get_server_pid()
    with suppress(asyncpg.PostgresError):
        await first.execute(statement)
    await first.close()

    second = await connect()

    assert second.get_server_pid() != process
    await second.close()
