"""Migrations of the database, run with the owner's login only."""

import asyncio
import time
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import Script, ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from prawko_tenants.engine import Database
from prawko_tenants.outages import sqlstate_of
from prawko_tenants.pooler_checks import require_direct_connection
from prawko_tenants.roles import Roles

__all__ = ["MigrationError", "SchemaStatus", "read_status", "render_sql", "upgrade_database"]

HEAD = "head"
LOCK_NOT_AVAILABLE = "55P03"
# A long dump or report holds the locks that a migration needs: it is waited for in short tries.
WAIT_SECONDS = 300.0
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 10.0


class MigrationError(RuntimeError):
    """A migration was not applied; the message gives the reason. Earlier ones stay applied."""


@dataclass(frozen=True)
class SchemaStatus:
    """The schema's revision, None for an empty database, and the migrations that it lacks."""

    version: str | None
    pending: tuple[tuple[str, str], ...]  # revision and title


def upgrade_database(
    owner_url: str, *, revision: str = HEAD, wait_seconds: float = WAIT_SECONDS
) -> None:
    """Migrate a database to a revision, the newest by default.

    Rights are granted to the roles with the owner's prefix: `prawko_owner` grants to
    `prawko_app`. Concurrent calls wait for each other. A migration tries for a second to get its
    locks, because other transactions wait behind it, and again after a pause, for `wait_seconds`
    in all. Blocking: not for a running event loop. Raises MigrationError, PoolerError when the
    URL does not lead to PostgreSQL itself, and ValueError for a login that is no owner's.
    """
    config = _config(Roles.from_owner(make_url(owner_url).username or ""))
    until, pause = time.monotonic() + wait_seconds, FIRST_PAUSE_SECONDS
    config.attributes.update(url=owner_url, wait_until=until)
    while True:
        try:
            asyncio.run(require_direct_connection(owner_url))
            command.upgrade(config, revision)
        except CommandError as error:
            raise MigrationError(f"there is no revision {revision}: {error}") from None
        except (DBAPIError, asyncpg.PostgresError, OSError) as error:
            if sqlstate_of(error) != LOCK_NOT_AVAILABLE:
                raise MigrationError(_explain(owner_url, error)) from error
            if time.monotonic() + pause > until:
                raise MigrationError(
                    f"{_next_revision(owner_url)} waited {wait_seconds:.0f} s for a lock that"
                    " others hold, such as a dump; it has changed nothing: run it again"
                ) from None
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        else:
            return


def read_status(owner_url: str) -> SchemaStatus:
    """Return the state of a database's schema. Blocking. Raises MigrationError."""
    try:
        version = asyncio.run(_read_version(owner_url))
    except (asyncpg.PostgresError, OSError) as error:
        raise MigrationError(f"PostgreSQL refused or was not reached: {error}") from None
    scripts = [*reversed([*_scripts().walk_revisions()])]
    revisions = [script.revision for script in scripts]
    if version is not None and version not in revisions:  # of a younger release
        return SchemaStatus(version, ())
    known = revisions.index(version) + 1 if version else 0
    return SchemaStatus(version, tuple((one.revision, _title(one)) for one in scripts[known:]))


def render_sql(roles: Roles | None = None) -> str:
    """Return all migrations as one SQL script, for reading and linting."""
    config = _config(roles or Roles())
    config.output_buffer = StringIO()
    command.upgrade(config, HEAD, sql=True)
    return config.output_buffer.getvalue()


def _config(roles: Roles) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["roles"] = roles
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config(Roles()))


def _title(script: Script) -> str:
    return script.doc.splitlines()[0].rstrip(".")


async def _read_version(owner_url: str) -> str | None:
    database = Database(owner_url)
    try:
        return await database.read_schema_version()
    finally:
        await database.close()


def _next_revision(owner_url: str) -> str:
    pending = read_status(owner_url).pending
    return f"migration {pending[0][0]}" if pending else "the migration"


def _explain(owner_url: str, error: Exception) -> str:
    """Return one sentence about an error; its statement may be long and is left out."""
    original = error.orig if isinstance(error, DBAPIError) else error
    reason = " ".join(str(original).split("\n", 1)[0].split())
    code = sqlstate_of(error)
    if isinstance(error, DBAPIError):
        return f"{_next_revision(owner_url)} failed: {reason} ({code})"
    return f"PostgreSQL refused or was not reached: {reason}"
