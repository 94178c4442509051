"""Every migration from now on is applied while others read and write, and stalls nobody for long.

The load is plain SQL, because the product's own code belongs to the newest schema.
`UPGRADE_DRIVERS` sets the number of drivers; with `UPGRADE_FIGURES` the stalls are appended to a
file.
"""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from prawko.kit.clock import utc_now
from prawko_migrations import MigrationError, _scripts, read_status, upgrade_database
from prawko_tenants.logins import Logins, provision_database
from support.fleet import Fleet, licence_numbers
from support.processes import run_prawko

pytestmark = pytest.mark.anyio

# The migrations of the first release; those after it are applied to running installations.
RELEASED = "0016"
DRIVERS = int(os.environ.get("UPGRADE_DRIVERS", "20000"))
# Aimed at: one second. A busy machine adds to it.
MAX_STALL_SECONDS = 2.5
COMPANY = "SELECT tenant_id FROM driver LIMIT 1"
OPERATIONS = {
    "list": (
        "app",
        """
        SELECT d.id, d.first_name, d.last_name, d.status, d.verified_at FROM driver d
         WHERE d.tenant_id = $1 ORDER BY d.sort_key LIMIT 50
        """,
    ),
    "session": (
        "app",
        """
        SELECT s.id, u.email FROM login_session s JOIN user_account u ON u.id = s.user_id
         WHERE s.tenant_id = $1
        """,
    ),
    "plan": (
        "planner",
        """
        INSERT INTO check_item (day, tenant_id, driver_id, document_version, next_try_at)
        SELECT current_date, d.tenant_id, d.id, 1, now() FROM driver d WHERE d.tenant_id = $1
            ON CONFLICT DO NOTHING
        """,
    ),
    "lease": (
        "worker",
        """
        UPDATE check_item SET fence = fence + 1, lease_until = now() WHERE day = current_date
           AND driver_id IN (SELECT driver_id FROM check_item WHERE day = current_date
                                AND tenant_id = $1 LIMIT 20 FOR UPDATE SKIP LOCKED)
        """,
    ),
    "record": (
        "worker",
        """
        WITH changed AS (
            UPDATE driver SET status = 'valid', verified_at = now() WHERE tenant_id = $1
               AND id IN (SELECT id FROM driver WHERE tenant_id = $1 LIMIT 5) RETURNING 1)
        INSERT INTO delivery (id, tenant_id, kind, channel_medium, user_id, next_try_at, key,
                              created_at)
        SELECT gen_random_uuid(), $1, 'notice', 'email', gen_random_uuid(), now(),
               gen_random_uuid()::text, now()
          FROM changed LIMIT 1
        """,
    ),
    "pay": ("worker", "SELECT * FROM payment WHERE next_poll_at <= now() AND tenant_id = $1"),
    "invoice": ("worker", "SELECT count(*) FROM invoice WHERE tenant_id = $1"),
}  # fmt: skip


class Load:
    """Threads of their own that repeat the operations and measure how long each takes."""

    def __init__(self, logins: Logins) -> None:
        self._logins = logins
        self._stop = threading.Event()
        self.longest = dict.fromkeys(OPERATIONS, 0.0)
        self.counts = dict.fromkeys(OPERATIONS, 0)
        self.errors: list[str] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = threading.Thread(target=lambda: asyncio.run(self._repeat_all()))
        thread.start()
        try:
            time.sleep(0.5)
            yield
            time.sleep(0.5)
        finally:
            self._stop.set()
            thread.join()

    async def _repeat_all(self) -> None:
        await asyncio.gather(*(self._repeat(name) for name in OPERATIONS))

    async def _repeat(self, name: str) -> None:
        login, statement = OPERATIONS[name]
        connection = await asyncpg.connect(getattr(self._logins, login))
        backup = await asyncpg.connect(self._logins.backup)
        company = await backup.fetchval(COMPANY)
        await backup.close()
        await connection.execute("SELECT set_config('app.tenant_id', $1, false)", str(company))
        while not self._stop.is_set():
            started_at = time.monotonic()
            try:
                await connection.execute(statement, company)
            except asyncpg.PostgresError as error:
                self.errors.append(f"{name}: {error}")
            seconds = time.monotonic() - started_at
            self.longest[name] = max(self.longest[name], seconds)
            self.counts[name] += 1
            await asyncio.sleep(0.01)
        await connection.close()

    def assert_nobody_stalled(self) -> None:
        assert self.errors == []
        assert min(self.counts.values()) > 3, self.counts
        assert max(self.longest.values()) < MAX_STALL_SECONDS, self.longest


@pytest.fixture(scope="module")
def released(servers) -> Logins:
    """A database of the first release, with drivers."""
    logins = provision_database(servers.urls.admin_url, database="upgraded", prefix="upgraded")
    upgrade_database(logins.owner, revision=RELEASED)

    async def fill() -> None:
        url = servers.urls.admin_url.replace("/postgres?", "/upgraded?")
        connection = await asyncpg.connect(url)
        for first in range(0, DRIVERS, 100_000):
            numbers = licence_numbers(min(DRIVERS - first, 100_000))
            companies = max(1, len(numbers) // 10)
            await Fleet(connection).add_companies(numbers, utc_now(), companies=companies)
        await connection.execute("SELECT ensure_month(current_date), ensure_day(current_date)")
        await connection.close()

    asyncio.run(fill())
    return logins


def later_revisions() -> list[str]:
    revisions = [script.revision for script in _scripts().walk_revisions()][::-1]
    return revisions[revisions.index(RELEASED) + 1 :]


@pytest.mark.parametrize("revision", later_revisions())
def test_a_migration_stalls_no_request(released, revision) -> None:
    load = Load(released)
    with load.running():
        upgrade_database(released.owner, revision=revision)

    if figures := os.environ.get("UPGRADE_FIGURES"):
        name, longest = max(load.longest.items(), key=lambda item: item[1])
        with Path(figures).open("a") as file:
            file.write(f"{revision}: {DRIVERS:,} drivers, longest {longest:.3f} s ({name})\n")
    load.assert_nobody_stalled()


@pytest.fixture
def blocked(servers) -> Iterator[tuple[Logins, asyncpg.Connection, asyncio.AbstractEventLoop]]:
    """A database that lacks its last migration, whose table a dump is reading."""
    logins = provision_database(servers.urls.admin_url, database="blocked", prefix="blocked")
    upgrade_database(logins.owner, revision="0018")
    with asyncio.Runner() as runner:

        async def read() -> asyncpg.Connection:
            admin = await asyncpg.connect(servers.urls.admin_url)
            reader = await asyncpg.connect(logins.backup)
            await reader.execute("BEGIN")
            await reader.execute("LOCK TABLE login_session IN ACCESS SHARE MODE")
            await admin.close()
            return reader

        reader = runner.run(read())
        yield logins, reader, runner.get_loop()
        runner.run(reader.close())

        async def drop() -> None:
            admin = await asyncpg.connect(servers.urls.admin_url)
            await admin.execute("DROP DATABASE blocked WITH (FORCE)")
            await admin.close()

        runner.run(drop())


def test_beside_a_dump_a_migration_waits_in_short_tries(blocked) -> None:
    logins, reader, loop = blocked
    longest, stop = 0.0, threading.Event()

    async def sign_in() -> None:
        nonlocal longest
        connection = await asyncpg.connect(logins.app)
        while not stop.is_set():
            started_at = time.monotonic()
            await connection.execute("SELECT count(*) FROM login_session")
            longest = max(longest, time.monotonic() - started_at)
            await asyncio.sleep(0.01)
        await connection.close()

    migrating = threading.Thread(target=upgrade_database, args=(logins.owner,))
    reading = threading.Thread(target=lambda: asyncio.run(sign_in()))
    reading.start()
    migrating.start()
    time.sleep(5)
    assert migrating.is_alive()
    loop.run_until_complete(reader.execute("COMMIT"))
    migrating.join()
    stop.set()
    reading.join()

    assert read_status(logins.owner).pending == ()
    assert longest < MAX_STALL_SECONDS


def test_a_migration_that_gets_no_lock_says_so_in_one_line(blocked) -> None:
    logins, _, _ = blocked

    result = run_prawko("db", "migrate", "--wait", "2", OWNER_DATABASE_URL=logins.owner)

    assert result.returncode == 1
    assert result.stderr == (
        "migration 0019 waited 2 s for a lock that others hold, such as a dump;"
        " it has changed nothing: run it again\n"
    )
    assert read_status(logins.owner).version == "0018"


def test_status_and_single_migrations(blocked) -> None:
    logins, reader, loop = blocked
    loop.run_until_complete(reader.execute("COMMIT"))
    variables = {"OWNER_DATABASE_URL": logins.owner}

    result = run_prawko("db", "status", **variables)
    assert (result.returncode, result.stdout.splitlines()[0][:12]) == (1, "schema 0018,")
    assert "pending: 0019  Keep the time of the sign-in" in result.stdout
    assert run_prawko("db", "migrate", "--to", "0019", **variables).returncode == 0
    assert read_status(logins.owner).version == "0019"
    result = run_prawko("db", "migrate", "--to", "0017", **variables)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert run_prawko("db", "migrate", **variables).returncode == 0
    result = run_prawko("db", "status", **variables)
    assert (result.returncode, "pending" in result.stdout) == (0, False)


async def test_another_migration_is_waited_for_and_named(released) -> None:
    other = await asyncpg.connect(released.owner)
    await other.execute("SELECT pg_advisory_lock(hashtext('prawko_migrations'))")
    try:
        with pytest.raises(MigrationError, match="another migration of this database is running"):
            await asyncio.to_thread(upgrade_database, released.owner, wait_seconds=1)
    finally:
        await other.close()
    await asyncio.to_thread(upgrade_database, released.owner, wait_seconds=30)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://prawko_owner:x@127.0.0.1:9/prawko", "PostgreSQL refused or was not reached"),
        ("postgresql://prawko_app:x@127.0.0.1:9/prawko", "PostgreSQL refused or was not reached"),
    ],
)
@pytest.mark.parametrize("command", ["migrate", "status"])
def test_a_database_that_is_away_is_one_line(url, reason, command) -> None:
    result = run_prawko("db", command, OWNER_DATABASE_URL=url)

    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith(reason)


def test_a_migration_that_fails_is_one_line(blocked, servers) -> None:
    logins, reader, loop = blocked
    loop.run_until_complete(reader.execute("COMMIT"))

    async def add_column() -> None:
        owner = await asyncpg.connect(logins.owner)
        await owner.execute("ALTER TABLE login_session ADD COLUMN signed_in_at date")
        await owner.close()

    asyncio.run(add_column())
    result = run_prawko("db", "migrate", OWNER_DATABASE_URL=logins.owner)

    assert result.returncode == 1
    assert result.stderr.startswith("migration 0019 failed:"), result.stderr
    assert "(42701)" in result.stderr
    assert result.stderr.count("\n") == 1
