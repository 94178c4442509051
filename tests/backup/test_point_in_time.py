"""Point-in-time recovery: a base backup and archived WAL bring back the moment before a mistake."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from prawko.apps.cli.restored_database import wait_for_recovery
from prawko.kit.clock import utc_now
from prawko_embedded import EmbeddedServers, postgres_server, start_servers
from prawko_migrations import upgrade_database
from prawko_tenants.catalog import audit_catalog
from prawko_tenants.engine import Database
from prawko_tenants.logins import provision_missing
from prawko_tenants.roles import Roles
from support.fleet import Fleet
from support.postgres_tools import run_program
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

ARCHIVED = "SELECT last_archived_wal >= $1 FROM pg_stat_archiver"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the servers' account can enter, unlike pytest's own."""
    path = Path(tempfile.mkdtemp(prefix="prawko-wal-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def archive(folder, monkeypatch) -> Path:
    """The archive of the WAL, with the settings that docs/backup.md asks for."""
    path = folder / "archive"
    path.mkdir()
    path.chmod(0o777)
    settings = {
        "wal_level": "replica",
        "max_wal_senders": "4",
        "archive_mode": "on",
        "archive_command": f"test ! -f {path}/%f && cp %p {path}/%f",
    }
    changed = postgres_server.POSTGRES_SETTINGS | settings
    monkeypatch.setattr(postgres_server, "POSTGRES_SETTINGS", changed)
    return path


def place_backup(
    original: EmbeddedServers, base: Path, home: Path, archive: Path, target: str
) -> None:
    """Make a home of a base backup, as an engineer places it in a server's data folder."""
    home.mkdir(mode=0o700)
    shutil.copy(original.home.path / "passwords.json", home)
    data = home / "postgres"
    base.rename(data)
    (data / "recovery.signal").touch()
    with (data / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"restore_command = 'cp {archive}/%f %p'\n")
        settings.write(f"recovery_target_time = '{target}'\nrecovery_target_action = pause\n")
    account = original.home.account
    for path in (data, *data.rglob("*")):
        os.chown(path, account.uid, account.gid, follow_symlinks=False)


async def count_drivers(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval("SELECT count(*) FROM driver")
    finally:
        await connection.close()


async def delete_all(admin_url: str) -> str:
    """Make a mistake, wait until its WAL is archived, and return the moment before it."""
    connection = await asyncpg.connect(admin_url)
    fleet = Fleet(connection)
    await fleet.add_companies(["AB000001", "AB000002"], utc_now())  # after the base backup
    await asyncio.sleep(0.1)
    target = await connection.fetchval("SELECT clock_timestamp()::text")
    await asyncio.sleep(0.1)
    await connection.execute("DELETE FROM driver")
    wal = await connection.fetchval("SELECT pg_walfile_name(pg_switch_wal())")
    await wait_until(lambda: connection.fetchval(ARCHIVED, wal))
    await connection.close()
    return target


async def test_the_moment_before_a_mistake_comes_back(folder, archive, run_db) -> None:
    with start_servers(folder / "original", durable=False) as original:
        admin = original.urls.admin_url
        created = await asyncio.to_thread(
            provision_missing, admin, database="prawko", replication=True
        )
        await asyncio.to_thread(upgrade_database, created["owner"])
        base = folder / "base"
        options = ("--checkpoint=fast", "--no-sync", "--wal-method=fetch")
        run_program("pg_basebackup", f"--pgdata={base}", *options, url=created["replication"])
        target = await delete_all(admin.replace("/postgres?", "/prawko?"))
        assert await count_drivers(created["backup"]) == 0

    place_backup(original, base, folder / "restored", archive, target)
    with start_servers(folder / "restored", durable=False) as restored:
        admin = restored.urls.admin_url

        def moved(login: str) -> str:
            return created[login].replace("%2Foriginal%2F", "%2Frestored%2F")

        connection = await asyncpg.connect(admin.replace("/postgres?", "/prawko?"))
        await wait_until(lambda: connection.fetchval("SELECT pg_is_wal_replay_paused()"))
        assert await count_drivers(moved("backup")) == 2  # one may look before the promotion
        superuser = Database(admin.replace("/postgres?", "/prawko?"))
        with pytest.raises(TimeoutError):
            await wait_for_recovery(superuser, seconds=0.5)
        await superuser.close()

        command = asyncio.create_task(
            asyncio.to_thread(run_db, "after-restore", ADMIN_DATABASE_URL=admin)
        )
        await asyncio.sleep(1)
        await connection.execute("SELECT pg_wal_replay_resume()")
        assert "last invoice: none" in await command

        assert await audit_catalog(connection, Roles()) == []
        assert not await connection.fetchval("SELECT pg_is_in_recovery()")
        await connection.close()
        database = Database(moved("app"))  # the logins and their passwords are in a base backup
        assert await database.read_schema_version() is not None
        await database.close()
