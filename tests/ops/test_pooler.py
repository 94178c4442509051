"""PgBouncer before PostgreSQL: which one is accepted, and that the product works through it."""

import asyncio
import re
import subprocess
from collections import Counter

import asyncpg
import httpx
import pytest

from ops.pooler import PGBOUNCER, requires_pgbouncer
from ops.server_process import prawko
from prawko_tenants.pooler_checks import (
    PoolerError,
    require_direct_connection,
    require_supported_pooler,
)
from support.people import PASSWORD
from support.processes import free_port, run_prawko

FIRST_WITH_STATEMENTS = (1, 21)
REQUESTS, AT_ONCE = 400, 16

pytestmark = [
    pytest.mark.anyio,
    requires_pgbouncer,
]


def read_version() -> tuple[int, ...]:
    """Return the version of PgBouncer; of none at all where there is none."""
    if PGBOUNCER is None:
        return ()
    result = subprocess.run([PGBOUNCER, "--version"], capture_output=True, text=True, check=True)
    return tuple(map(int, re.search(r"PgBouncer (\d+)\.(\d+)", result.stdout).groups()))


VERSION = read_version()
keeps_statements = pytest.mark.skipif(
    VERSION < FIRST_WITH_STATEMENTS, reason="PgBouncer is older than 1.21; PGBOUNCER names another"
)


async def test_postgresql_itself_is_no_pooler(logins) -> None:
    await require_direct_connection(logins.app)
    await require_supported_pooler(logins.app)


@pytest.mark.parametrize("mode", ["transaction", "session"])
async def test_migrations_refuse_every_pooler(start_pooler, logins, mode) -> None:
    pooler = await start_pooler(pool_mode=mode)

    with pytest.raises(PoolerError):
        await require_direct_connection(pooler.through(logins.owner))
    result = await asyncio.to_thread(
        run_prawko, "db", "migrate", OWNER_DATABASE_URL=pooler.through(logins.owner)
    )
    assert result.returncode == 2
    assert result.stderr == (
        "prawko: the owner's URL leads to a connection pooler: migrations need PostgreSQL itself\n"
    )


async def test_a_pooler_in_session_mode_is_accepted(start_pooler, logins) -> None:
    pooler = await start_pooler(pool_mode="session")

    await require_supported_pooler(pooler.through(logins.app))


async def test_a_pooler_that_keeps_no_statements_is_refused_at_the_start(
    start_pooler, logins, product_variables, tmp_path
) -> None:
    unset = {"max_prepared_statements": 0} if VERSION >= FIRST_WITH_STATEMENTS else {}
    pooler = await start_pooler(pool_mode="transaction", **unset)
    for _ in range(2):  # the first leaves nothing behind that would change what the second finds
        with pytest.raises(PoolerError, match=r"PgBouncer 1\.21 or later"):
            await require_supported_pooler(pooler.through(logins.app))

    variables = {**product_variables, "DATABASE_URL": pooler.through(logins.app)}
    panel = prawko("serve", variables, tmp_path, port=free_port()).start()
    assert await asyncio.to_thread(panel.wait) == 2
    assert panel.log.read_text().startswith("prawko: the database's URL leads to a connection pool")
    worker_variables = variables | {
        "DATABASE_URL": logins.worker, "PLANNER_DATABASE_URL": pooler.through(logins.planner),
    }  # fmt: skip
    worker = prawko("worker", worker_variables, tmp_path).start()
    assert await asyncio.to_thread(worker.wait) == 2
    assert "connection pooler in transaction mode" in worker.log.read_text()


@keeps_statements
async def test_the_product_works_through_a_pooler_that_keeps_statements(
    start_pooler, logins, product_variables, tmp_path, anna
) -> None:
    pooler = await start_pooler(pool_mode="transaction", max_prepared_statements=200)
    await require_supported_pooler(pooler.through(logins.app))
    variables = {**product_variables, "DATABASE_URL": pooler.through(logins.app)}
    panel = prawko("serve", variables, tmp_path, port=free_port()).start()
    try:
        await asyncio.to_thread(panel.wait_until_ready)
        async with httpx.AsyncClient(base_url=panel.url, trust_env=False, timeout=30) as browser:
            login = {"email": anna.email, "password": PASSWORD}
            assert (await browser.post("/api/login", json=login)).status_code == 200
            limit = asyncio.Semaphore(AT_ONCE)
            paths = ("/api/drivers", "/api/user", "/api/notifications", "/api/subscription")

            async def get(number: int) -> tuple[str, int]:
                path = paths[number % len(paths)]
                async with limit:
                    return path, (await browser.get(path)).status_code

            statuses = Counter(await asyncio.gather(*map(get, range(REQUESTS))))
        assert {status for _, status in statuses} <= {200}, statuses
    finally:
        assert panel.stop() == 0
    connection = await asyncpg.connect(logins.backup)
    try:
        assert not await connection.fetchval(
            "SELECT count(*) FROM pg_locks WHERE locktype='advisory'"
        )
    finally:
        await connection.close()
