"""What must hold before a process starts: settings, plugins, port, the database's schema."""

import asyncio
import multiprocessing
import socket
import sys
from collections.abc import Mapping

from prawko.base import logs
from prawko.base.bootstrap import close_context, create_context
from prawko.base.plugins import PluginError
from prawko.hooks.environment import SettingsError
from prawko_tenants.engine import Database
from prawko_tenants.outages import is_unavailable

# The newest migration that this release needs; a test compares it with the migrations.
SCHEMA_VERSION = "0019"
REFUSED = 2

log = logs.get_logger(__name__)


class SchemaError(RuntimeError):
    """The database's schema is older than the release needs, or missing."""

    def __init__(self, version: str | None) -> None:
        found = f"schema {version}" if version else "no schema that this login may read"
        super().__init__(
            f"the database has {found}, and {SCHEMA_VERSION} is needed: run `prawko db migrate`"
        )


async def require_schema(database: Database) -> None:
    """Raise SchemaError unless the schema is what this release needs, or newer.

    An unreachable database passes: the process waits for it, and is not ready until then.
    """
    try:
        version = await database.read_schema_version()
    except Exception as error:
        if not is_unavailable(error):
            raise
        log.warning("schema_not_checked", reason=type(error).__name__)
        return
    if version is None or version < SCHEMA_VERSION:
        raise SchemaError(version)


def require_free_port(host: str, port: int) -> None:
    """Raise SettingsError when the port is taken; the server itself would share it silently."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SettingsError("PORT", f"cannot be {port} ({error.strerror})") from None


def check_in_child(variables: Mapping[str, str]) -> bool:
    """Check the start in a process of its own, whose memory the caller does not keep.

    Returns whether it may start; the reason why not is a line on standard error.
    """
    child = multiprocessing.get_context("fork").Process(target=_check, args=(dict(variables),))
    child.start()
    child.join()
    return child.exitcode == 0


def _check(variables: Mapping[str, str]) -> None:
    async def check() -> None:
        context = create_context(variables)
        try:
            await require_schema(context.database)
        finally:
            await close_context(context)

    try:
        asyncio.run(check())
    except (SettingsError, PluginError, SchemaError) as error:
        print(f"prawko: {error}", file=sys.stderr)  # noqa: T201 (a command prints)
        sys.exit(REFUSED)
