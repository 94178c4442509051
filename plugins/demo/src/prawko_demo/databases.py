"""Provisions and migrates the demo's database, on embedded or configured servers."""

import asyncio
import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import redis

from prawko.hooks.environment import SettingsError
from prawko.kit.work.queue import list_queue_scripts
from prawko_demo.options import DemoOptions
from prawko_demo.secret_store import DemoSecrets
from prawko_embedded import EmbeddedError, EmbeddedServers, erase_home, start_servers
from prawko_embedded.home import PRIVATE_FOLDER_MODE, Home
from prawko_embedded.secret_file import write_secret_file
from prawko_tenants.logins import Logins, provision_database
from prawko_tenants.urls import to_asyncpg_dsn

DEMO_FOLDER = "demo"  # in the home
UNFINISHED_MARK = "unfinished"
CONNECT_TIMEOUT_SECONDS = 5.0
STATEMENT_TIMEOUT_SECONDS = 60.0


class DemoServers(msgspec.Struct, frozen=True):
    """Running servers; `embedded` is set where this process has started them."""

    admin_url: str
    redis_url: str
    embedded: EmbeddedServers | None


class DemoDatabases(msgspec.Struct, frozen=True):
    """The logins of a migrated database, and the URL of Redis."""

    logins: Logins
    redis_url: str


@contextmanager
def run_servers(options: DemoOptions) -> Iterator[DemoServers]:
    """Lock the home and run the servers until the block ends; `FRESH=1` empties both first.

    Raises HomeInUseError, EmbeddedUnavailableError, EmbeddedError, and SettingsError for configured
    servers that cannot be reached.
    """
    if options.database_url is None or options.redis_url is None:
        if options.fresh:
            erase_home(options.home)
        with start_servers(options.home, scripts=list_queue_scripts()) as running:
            yield DemoServers(running.urls.admin_url, running.urls.redis_url, running)
    else:
        with Home(options.home):
            configured = DemoServers(to_asyncpg_dsn(options.database_url), options.redis_url, None)
            _ensure_reachable(configured)
            if options.fresh:
                _drop_database(options, configured.admin_url)
            yield configured


def prepare_folder(options: DemoOptions, servers: DemoServers) -> Path:
    """Create the demo's folder in the home, which the caller has locked, and return it.

    Removes the folder and the database of a demo that was killed while it wrote its company.
    """
    folder = options.home / DEMO_FOLDER
    is_unfinished = (folder / UNFINISHED_MARK).exists()
    if is_unfinished:
        _drop_database(options, servers.admin_url)
    if is_unfinished or options.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)
    return folder


@contextmanager
def mark_unfinished(folder: Path) -> Iterator[None]:
    """Mark the database as unfinished until the block succeeds."""
    mark = folder / UNFINISHED_MARK
    mark.touch()
    yield
    mark.unlink()


def database_name(options: DemoOptions) -> str:
    """Return the database's name and its roles' prefix; on configured servers one for each home."""
    if options.database_url is None:
        return "prawko"
    return f"prawko_demo_{hashlib.sha256(bytes(options.home)).hexdigest()[:8]}"


def prepare_databases(
    options: DemoOptions, servers: DemoServers, folder: Path, secrets: DemoSecrets
) -> DemoDatabases:
    """Create the database and its roles where they are missing, and migrate it."""
    name = database_name(options)
    logins = provision_database(
        servers.admin_url, database=name, passwords=secrets.passwords, prefix=name
    )
    _migrate_if_needed(logins.owner, folder / "migrated.json")
    return DemoDatabases(logins, servers.redis_url)


def is_empty(databases: DemoDatabases) -> bool:
    """Whether the database has no accounts."""
    is_empty: bool = _fetch_value(
        databases.logins.owner, "SELECT NOT EXISTS (SELECT FROM user_account)"
    )
    return is_empty


class _MigrationRecord(msgspec.Struct, frozen=True):
    """A digest of the migrations' files, and the schema version they led to."""

    files: str
    version: str | None


def _migrate_if_needed(owner_url: str, record_path: Path) -> None:
    """Migrate, unless these migrations have led to the database's version already.

    Loading the migrations takes a second, which a repeated start saves.
    """
    files = _migrations_fingerprint()
    try:
        record = msgspec.json.decode(record_path.read_bytes(), type=_MigrationRecord)
    except (FileNotFoundError, msgspec.DecodeError):
        record = None
    if record is not None and record == _MigrationRecord(files, _schema_version(owner_url)):
        return
    from prawko_migrations import upgrade_database  # noqa: PLC0415 (slow to import)

    upgrade_database(owner_url)
    write_secret_file(
        record_path, msgspec.json.encode(_MigrationRecord(files, _schema_version(owner_url)))
    )


def _migrations_fingerprint() -> str:
    spec = find_spec("prawko_migrations")
    if spec is None or spec.origin is None:
        raise EmbeddedError("prawko-migrations is not installed.")
    digest = hashlib.sha256()
    for path in sorted(Path(spec.origin).parent.rglob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _schema_version(owner_url: str) -> str | None:
    try:
        version: str | None = _fetch_value(owner_url, "SELECT version_num FROM alembic_version")
    except asyncpg.UndefinedTableError:
        return None
    return version


def _ensure_reachable(servers: DemoServers) -> None:
    """Raise SettingsError at once: the product itself would wait for the servers."""
    try:
        _fetch_value(servers.admin_url, "SELECT 1")
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise SettingsError("DATABASE_URL", f"leads to no PostgreSQL: {error}") from None
    try:
        with redis.from_url(
            servers.redis_url,
            socket_connect_timeout=CONNECT_TIMEOUT_SECONDS,
            socket_timeout=CONNECT_TIMEOUT_SECONDS,
        ) as client:
            client.ping()
    except (OSError, ValueError, redis.RedisError) as error:
        raise SettingsError("REDIS_URL", f"leads to no Redis: {error}") from None


def _drop_database(options: DemoOptions, admin_url: str) -> None:
    _fetch_value(admin_url, f'DROP DATABASE IF EXISTS "{database_name(options)}" WITH (FORCE)')


def _fetch_value(url: str, statement: str) -> Any:
    """Run one statement and return the first value of its result."""

    async def run() -> Any:
        connection = await asyncpg.connect(
            url, timeout=CONNECT_TIMEOUT_SECONDS, command_timeout=STATEMENT_TIMEOUT_SECONDS
        )
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    return asyncio.run(run())
