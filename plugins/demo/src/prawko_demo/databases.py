"""PostgreSQL and Redis of a demo: the embedded ones or given ones, provisioned and migrated."""

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

from prawko.embedded import EmbeddedError, RunningServers, erase, start
from prawko.embedded.home import Home
from prawko.hooks.environment import SettingError
from prawko_demo.keys import PRIVATE, Keys, write_secret
from prawko_demo.options import Options
from prawko_tenants.logins import Logins, provision
from prawko_tenants.urls import plain

FOLDER = "demo"  # of the home: what only the demo keeps
UNFINISHED = "unfinished"
SECONDS_TO_CONNECT = 5.0


class Servers(msgspec.Struct, frozen=True):
    """Servers that run; `embedded` are ours to revive."""

    admin_url: str
    redis_url: str
    embedded: RunningServers | None


class Databases(msgspec.Struct, frozen=True):
    """A database up to date, its logins, and Redis."""

    logins: Logins
    redis_url: str


@contextmanager
def servers(options: Options) -> Iterator[Servers]:
    """Hold the home and have servers run until the block ends; `FRESH=1` empties both first.

    Raises HomeInUseError, EmbeddedUnavailable or EmbeddedError.
    """
    if options.database_url is None or options.redis_url is None:
        if options.fresh:
            erase(options.home)
        with start(options.home) as running:
            found = running.servers
            yield Servers(found.admin_url, found.redis_url, running)
    else:
        with Home(options.home):
            given = Servers(plain(options.database_url), options.redis_url, None)
            _refuse_unreachable(given)
            if options.fresh:
                _drop(options, given.admin_url)
            yield given


def own_folder(options: Options, servers: Servers) -> Path:
    """The demo's folder in the home, which the caller holds.

    A company that was only half written, because the demo was killed at it, is begun anew.
    """
    folder = options.home / FOLDER
    half_written = (folder / UNFINISHED).exists()
    if half_written:
        _drop(options, servers.admin_url)
    if half_written or options.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=PRIVATE, exist_ok=True)
    return folder


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Mark the database as half written until the block ends well."""
    mark = folder / UNFINISHED
    mark.touch()
    yield
    mark.unlink()


def name(options: Options) -> str:
    """The database, and what its roles begin with: on given servers, one for each home."""
    if options.database_url is None:
        return "prawko"
    return f"prawko_demo_{hashlib.sha256(bytes(options.home)).hexdigest()[:8]}"


def prepare(options: Options, servers: Servers, folder: Path, keys: Keys) -> Databases:
    """Bring roles and tables to what they should be."""
    base = name(options)
    logins = provision(servers.admin_url, database=base, passwords=keys.passwords, prefix=base)
    _migrate(logins.owner, folder / "migrated.json")
    return Databases(logins, servers.redis_url)


def is_empty(databases: Databases) -> bool:
    """Whether nobody has signed up yet."""
    found: bool = _on(databases.logins.owner, "SELECT NOT EXISTS (SELECT FROM user_account)")
    return found


class _Migrated(msgspec.Struct, frozen=True):
    """What a migration started from, and where it led."""

    files: str
    version: str | None


def _migrate(owner_url: str, note: Path) -> None:
    """Migrate, unless these very files have led this database to where it is.

    Loading the migrations takes a second, and a demo that is started again has none to run.
    """
    files = _fingerprint()
    try:
        noted = msgspec.json.decode(note.read_bytes(), type=_Migrated)
    except (FileNotFoundError, msgspec.DecodeError):
        noted = None
    if noted is not None and noted == _Migrated(files, _version(owner_url)):
        return
    from prawko_migrations import upgrade  # noqa: PLC0415 (see above)

    upgrade(owner_url)
    write_secret(note, msgspec.json.encode(_Migrated(files, _version(owner_url))))


def _fingerprint() -> str:
    spec = find_spec("prawko_migrations")
    if spec is None or spec.origin is None:
        raise EmbeddedError("prawko-migrations is not installed.")
    digest = hashlib.sha256()
    for path in sorted(Path(spec.origin).parent.rglob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _version(owner_url: str) -> str | None:
    try:
        version: str | None = _on(owner_url, "SELECT version_num FROM alembic_version")
    except asyncpg.UndefinedTableError:
        return None
    return version


def _refuse_unreachable(given: Servers) -> None:
    """Say so at once: the product itself would wait patiently for servers to come back."""
    try:
        _on(given.admin_url, "SELECT 1")
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise SettingError("DATABASE_URL", f"leads to no PostgreSQL: {error}") from None
    try:
        with redis.from_url(given.redis_url, socket_connect_timeout=SECONDS_TO_CONNECT) as client:
            client.ping()
    except (OSError, ValueError, redis.RedisError) as error:
        raise SettingError("REDIS_URL", f"leads to no Redis: {error}") from None


def _drop(options: Options, admin_url: str) -> None:
    _on(admin_url, f'DROP DATABASE IF EXISTS "{name(options)}" WITH (FORCE)')


def _on(url: str, statement: str) -> Any:
    """Run one statement and return the first value of its answer."""

    async def run() -> Any:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    return asyncio.run(run())
