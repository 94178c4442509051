"""Checks before a process starts: settings, plugins, port, schema, the right time."""

import asyncio
import multiprocessing
import socket
import sys
from collections.abc import Callable, Mapping, Sequence

from prawko.hooks.environment import SettingsError
from prawko.kit.bootstrap import close_context, create_context
from prawko.kit.clock import ClockDiffersError
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.providers.child_runs import discover_in_child
from prawko.kit.providers.entries import warn_of_stray_names
from prawko.kit.providers.registry import PluginError
from prawko.kit.settings import Settings
from prawko.kit.variables import warn_of_unknown_variables
from prawko.kit.work.queue import SaqQueue
from prawko_tenants.engine import Database
from prawko_tenants.outages import is_unavailable
from prawko_tenants.pooler_checks import PoolerError, require_supported_pooler

# The newest migration that this release needs; a test compares it with the migrations.
SCHEMA_VERSION = "0057"
REFUSED = 2
CHECK_SECONDS = 60

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


async def require_pooler(settings: Settings) -> None:
    """Raise PoolerError for a connection pooler that cannot do what the product needs.

    An unreachable database passes, as in `require_schema`.
    """
    for url in filter(None, (settings.database_url, settings.planner_database_url)):
        try:
            await require_supported_pooler(url)
        except Exception as error:
            if not is_unavailable(error):
                raise
            log.warning("pooler_not_checked", reason=type(error).__name__)


async def require_redis_login(context: AppContext) -> None:
    """Raise SettingsError when Redis refuses the login; one that is away passes, as above."""
    if isinstance(context.queue, SaqQueue) and await context.queue.is_refused():
        raise SettingsError("REDIS_URL", "is refused by Redis: the password is wrong or missing")


async def require_right_time(context: AppContext) -> None:
    """Raise ClockDiffersError when this machine's clock differs from PostgreSQL's.

    An unreachable database passes, as in `require_schema`.
    """
    try:
        await context.clock_guard.compare(context.database)
    except Exception as error:
        if not is_unavailable(error):
            raise
        log.warning("clock_not_checked", reason=type(error).__name__)
    context.clock_guard.require_trusted()


def require_free_port(settings: Settings) -> None:
    """Raise SettingsError when the port is taken; the server itself would share it silently."""
    host, port = settings.host, settings.port
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SettingsError("PORT", f"cannot be {port} ({error.strerror})") from None


def check_in_child(
    variables: Mapping[str, str], requirements: Sequence[Callable[[Settings], object]]
) -> bool:
    """Check the start in a process of its own, whose memory the caller does not keep.

    Returns whether it may start; the reasons why not are lines on standard error, one for each
    variable that is wrong.
    """
    child = multiprocessing.get_context("fork").Process(
        target=_check, args=(dict(variables), requirements)
    )
    child.start()
    child.join(CHECK_SECONDS)
    if child.is_alive():
        child.kill()
        child.join(CHECK_SECONDS)
        sys.stderr.write(f"the check of the start took more than {CHECK_SECONDS} seconds\n")
    return child.exitcode == 0


def _check(
    variables: Mapping[str, str], requirements: Sequence[Callable[[Settings], object]]
) -> None:
    async def check() -> None:
        installed = discover_in_child(variables)
        context = create_context(variables, installed_plugins=installed, requirements=requirements)
        warn_of_unknown_variables(variables, context.plugins)
        warn_of_stray_names(variables)
        try:
            await require_pooler(context.settings)
            await require_schema(context.database)
            await require_redis_login(context)
            await require_right_time(context)
        finally:
            await close_context(context)

    try:
        asyncio.run(check())
    except (SettingsError, PluginError, SchemaError, PoolerError, ClockDiffersError) as error:
        print_error(error)
        sys.exit(REFUSED)


def print_error(error: Exception) -> None:
    """Print why a process does not start: a line on standard error for each reason."""
    for line in str(error).splitlines():
        print(f"prawko: {line}", file=sys.stderr)  # noqa: T201 (a command prints)
