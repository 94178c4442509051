"""Checks whether this installation is set up, reachable, migrated and healthy."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import asyncpg
import click
from redis.exceptions import RedisError
from sqlalchemy.exc import DBAPIError

from prawko.apps.cli.status import print_findings
from prawko.apps.cli.status_report import Finding, FindingState, collect_status, new_finding
from prawko.apps.composition_root import create_context
from prawko.hooks import PROJECT
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.licence_register import HasCertificate
from prawko.kit.bootstrap import close_context
from prawko.kit.clock import MAX_CLOCK_DIFFERENCE, utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.incidents.plugin_faults import get_experience
from prawko.kit.providers.calls import PluginFaultError, describe_error
from prawko.kit.providers.entries import (
    DISABLED_VARIABLE,
    discover_plugins,
    find_stray_groups,
    find_wrong_names,
)
from prawko.kit.providers.loader import inspect_plugins
from prawko.kit.providers.registry import PluginError, PluginKind, Plugins
from prawko.kit.startup_checks import SCHEMA_VERSION
from prawko.kit.variables import find_unknown_variables, list_variables
from prawko.kit.work.queue import RecordingQueue, SaqQueue
from prawko.verifications.register.client import read_certificate_end
from prawko_tenants.catalog import find_changed_settings
from prawko_tenants.outages import is_forbidden, sqlstate_of
from prawko_tenants.reader import SELECT_SCHEMA_VERSION
from prawko_tenants.roles import Roles
from prawko_tenants.urls import to_asyncpg_dsn

CONNECT_SECONDS = 5.0
MIN_FREE_PERCENT = 10
CERTIFICATE_WARNING = timedelta(days=45)
LOGINS = ("DATABASE_URL", "PLANNER_DATABASE_URL", "OWNER_DATABASE_URL")
_SELECT_STATE = "SELECT current_user AS login, clock_timestamp() AS now"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="as JSON, one object for each line")
@click.pass_obj
def doctor(variables: Mapping[str, str], *, as_json: bool) -> int:
    """Show the settings, what is reachable, migrated and due, and what fails, for one process.

    Secrets are shown as "set". Exits with 0 when all is well, with 1 when something needs a look,
    and with 2 when a process would not start or work.
    """

    async def examine() -> list[Finding]:
        return [one async for one in _examine(variables)]

    return print_findings(asyncio.run(examine()), as_json=as_json)


async def _examine(variables: Mapping[str, str]) -> AsyncIterator[Finding]:
    try:
        context = create_context(variables, queue=RecordingQueue())
    except (SettingsError, PluginError) as error:
        loaded, _ = inspect_plugins(Environment(variables), discover_plugins(variables))
        for one in _describe_variables(variables, loaded):
            yield one
        for line in str(error).splitlines():
            about, _, reason = line.partition(" ")
            yield new_finding(about, reason, FindingState.FAIL)
        return
    for one in _describe_variables(variables, context.plugins):
        yield one
    try:
        for login in LOGINS:
            if url := variables.get(login):
                async for one in _examine_login(login, url):
                    yield one
        yield await _examine_redis(context)
        for one in _describe_machine(context):
            yield one
        async for one in _examine_work(context):
            yield one
    finally:
        await close_context(context)


def _describe_variables(variables: Mapping[str, str], plugins: Plugins) -> Iterator[Finding]:
    known = list_variables(plugins)
    for one in known:
        if value := variables.get(one.name):
            yield new_finding(one.name, "set" if one.is_secret else value)
    for name, similar in find_unknown_variables(variables, known):
        hint = f"; {similar} is meant?" if similar else ""
        yield new_finding(name, f"is read by nobody{hint}", FindingState.WARN)
    for name in find_wrong_names(variables):
        yield new_finding(DISABLED_VARIABLE, f"names {name!r}: not installed", FindingState.WARN)
    for distribution, group in find_stray_groups():
        text = f"has entry points in the group {group!r}, which nobody reads; {PROJECT!r} is meant?"
        yield new_finding(distribution, text, FindingState.WARN)


async def _examine_login(name: str, url: str) -> AsyncIterator[Finding]:
    try:
        connection = await asyncpg.connect(
            to_asyncpg_dsn(url), timeout=CONNECT_SECONDS, command_timeout=CONNECT_SECONDS
        )
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        reason = sqlstate_of(error) or type(error).__name__  # its text may quote the URL
        yield new_finding(name, f"cannot connect ({reason})", FindingState.FAIL)
        return
    try:
        state = await connection.fetchrow(_SELECT_STATE)
        difference = abs(utc_now() - state["now"])
        yield new_finding(name, f"connects as {state['login']}")
        if difference > MAX_CLOCK_DIFFERENCE:
            text = f"differs from PostgreSQL's by {difference.total_seconds():.0f} s"
            yield new_finding("clock", text, FindingState.FAIL)
        try:
            yield _describe_schema(name, await connection.fetchval(SELECT_SCHEMA_VERSION))
        except asyncpg.UndefinedTableError:
            yield _describe_schema(name, None)
        except asyncpg.InsufficientPrivilegeError:
            pass  # the planner's login; the other lines are complete
        if name == "DATABASE_URL":
            roles = Roles(state["login"].rpartition("_")[0])
            for changed in await find_changed_settings(connection, roles):
                text = f"{changed}: run `prawko db provision`"
                yield new_finding("settings of logins", text, FindingState.WARN)
    finally:
        await connection.close()


def _describe_schema(login: str, version: str | None) -> Finding:
    if version is None or version < SCHEMA_VERSION:
        text = f"is {version or 'missing'}, {SCHEMA_VERSION} is needed: run `prawko db migrate`"
        return new_finding(f"schema ({login})", text, FindingState.FAIL)
    return new_finding(f"schema ({login})", version)


async def _examine_redis(context: AppContext) -> Finding:
    queue = SaqQueue(context.settings.redis_url)
    try:
        if await queue.is_available():
            return new_finding("REDIS_URL", "answers")
        return new_finding("REDIS_URL", "does not answer: jobs start late", FindingState.WARN)
    finally:
        with suppress(RedisError, OSError):
            await queue.close()


def _describe_machine(context: AppContext) -> Iterator[Finding]:
    disk = shutil.disk_usage(Path.cwd())
    free = disk.free * 100 // disk.total
    is_full = free < MIN_FREE_PERCENT
    yield new_finding("disk", f"{free} % free", FindingState.WARN if is_full else FindingState.OK)
    for register in context.plugins.get_registers(context.settings.register_names):
        if isinstance(register, HasCertificate):
            name = register.name
            plugin = get_experience(context, PluginKind.REGISTER, name)
            try:
                expires_at = read_certificate_end(plugin, register)
            except PluginFaultError as fault:
                reason = f"of {name} is not shown: {describe_error(fault)}"
                yield new_finding("certificate", reason, FindingState.WARN)
                continue
            is_soon = expires_at - context.clock.now() < CERTIFICATE_WARNING
            state = FindingState.WARN if is_soon else FindingState.OK
            yield new_finding(
                "certificate", f"of {name} expires on {warsaw_date(expires_at)}", state
            )


async def _examine_work(context: AppContext) -> AsyncIterator[Finding]:
    try:
        for one in await collect_status(context):
            yield one
    except (DBAPIError, OSError, TimeoutError) as error:
        reason = "needs a worker's variables" if is_forbidden(error) else type(error).__name__
        yield new_finding("work", f"is not shown: {reason}", FindingState.WARN)
