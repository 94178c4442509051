"""Commands about plugins: those installed and configured, whether they work, and a new one."""

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec

from prawko.apps.cli.context import exit_with_error
from prawko.apps.cli.hooks_page import render_hooks_page
from prawko.apps.cli.plugin_report import PluginReport, PluginState, build_reports, format_report
from prawko.apps.cli.plugin_templates import PluginTemplate, write_plugin
from prawko.apps.cli.reference import replace_marked_text
from prawko.hooks import PROJECT
from prawko.hooks.environment import SettingsError
from prawko.kit.bootstrap import inspect_start
from prawko.kit.process_protection import end_with_parent
from prawko.kit.providers.call_slot import SLOT, read_ended
from prawko.kit.providers.checks import OfferKey, PluginCheck, check_offers
from prawko.kit.providers.entries import (
    DISABLED_VARIABLE,
    discover_plugins,
    find_disabled_plugins,
    find_stray_groups,
)
from prawko.kit.providers.experience import PluginExperiences
from prawko.kit.providers.hard_limit import HardLimit
from prawko.kit.providers.registry import Plugins
from prawko.kit.providers.thread import LOADED
from prawko.kit.variables import find_unknown_variables, list_variables

HOOKS_BEGIN, HOOKS_END = "<!-- hooks -->\n", "<!-- /hooks -->\n"
_INSPECTION_SECONDS = 600.0  # each call of a plugin ends within 35
_ROLE, _REPORTS = "inspection", "reports"
_EXIT_CODES = {
    PluginState.OK: 0, PluginState.UNCONFIGURED: 0, PluginState.DISABLED: 0, PluginState.WARN: 1,
}  # fmt: skip


@click.group(invoke_without_command=True)
@click.option(
    "--check", "is_checking", is_flag=True, help="ask the providers whether they serve us"
)
@click.option("--json", "as_json", is_flag=True, help="as JSON, one object for each plugin")
@click.pass_context
def plugins(command: click.Context, *, is_checking: bool, as_json: bool) -> int:
    """List the plugins: versions, files, what each offers, the chosen ones, the variables set.

    Exits with 0 when all is well, with 1 when something needs a look, and with 2 when no process
    would start with these variables: those of the product are checked as at a start, and named
    under "settings". What one process alone needs (the worker's PLANNER_DATABASE_URL, the panel's
    files, port and operator) it checks itself; PostgreSQL and Redis are asked by `prawko doctor`.
    """
    if command.invoked_subcommand is not None:
        return 0
    reports = _inspect_in_child(command.obj, is_checking=is_checking)
    for report in reports:
        click.echo(msgspec.json.encode(report).decode() if as_json else format_report(report))
    return max((_EXIT_CODES.get(one.state, 2) for one in reports), default=0)


@plugins.command()
@click.argument("kind", type=click.Choice([template.value for template in PluginTemplate]))
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=".",
    help="where the plugin's folder is made; this one, if it is not named",
)
def new(kind: str, name: str, folder: Path) -> None:
    """Write a plugin that works: package, settings, hook, contract test, README.

    NAME is a word of small letters and digits, such as "pigeon": the name in the settings.
    """
    try:
        written = write_plugin(PluginTemplate(kind), name, folder)
    except (ValueError, FileExistsError) as error:
        exit_with_error(str(error))
    click.echo(f"{written} is a plugin: read its README.md")


@plugins.command()
@click.option(
    "--write",
    "file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help=f"replace what stands between {HOOKS_BEGIN.strip()} and {HOOKS_END.strip()} in a file",
)
def hooks(file: Path | None) -> None:
    """Print the reference of the hooks, as Markdown."""
    if file is None:
        click.echo(render_hooks_page())
    elif not replace_marked_text(file, HOOKS_BEGIN, HOOKS_END, render_hooks_page()):
        exit_with_error(f"{file} has no place for the reference")


def _inspect_in_child(variables: Mapping[str, str], *, is_checking: bool) -> list[PluginReport]:
    """Inspect in a child process: a plugin may end it, and what one prints is no report.

    The plugin that ends one is left alone in the next.
    """
    ended: dict[str, str] = {}
    with TemporaryDirectory() as name:
        folder, known = Path(name), -1
        while len(ended) > known:
            known = len(ended)
            inspect = partial(_write_reports, folder, variables, ended, is_checking=is_checking)
            child = get_context("fork").Process(target=inspect)
            child.start()
            child.join(_INSPECTION_SECONDS)
            child.kill()
            child.join(_INSPECTION_SECONDS)
            with suppress(FileNotFoundError):
                reports = (folder / _REPORTS).read_bytes()
                return msgspec.json.decode(reports, type=list[PluginReport])
            how = f"ends the process that calls it, with the code {child.exitcode}"
            ended |= {
                one.plugin: "holds the process that calls it" if one.traceback else how
                for one in read_ended(folder, _ROLE)
                if one.is_new
            }
    fault = f"a process that inspects them ends with the code {child.exitcode}"
    return [PluginReport(PluginState.FAILED, "plugins", faults=[fault])]


def _write_reports(
    folder: Path, variables: Mapping[str, str], ended: Mapping[str, str], *, is_checking: bool
) -> None:
    end_with_parent()
    os.dup2(2, 1)
    SLOT.open(folder, _ROLE)
    reports = _inspect(variables, ended, is_checking=is_checking)
    (folder / _REPORTS).write_bytes(msgspec.json.encode(reports))
    sys.stdout.flush()
    os._exit(0)  # whatever threads the plugins have started


def _inspect(
    variables: Mapping[str, str], ended: Mapping[str, str], *, is_checking: bool
) -> list[PluginReport]:
    """Report on the plugins; `ended` says of those that ended a process how they did."""
    faults = {name.removeprefix(LOADED): how for name, how in ended.items()}
    installed = discover_plugins(variables, faults=faults)
    found = inspect_start(variables, installed)
    checks = asyncio.run(_check(found.plugins, ended)) if is_checking else {}
    return [
        *build_reports(installed, found, checks, variables),
        *(
            PluginReport(PluginState.DISABLED, name, faults=[f"{DISABLED_VARIABLE} leaves it out"])
            for name in sorted(find_disabled_plugins(variables) & entry_points(group=PROJECT).names)
        ),
        *_describe_variables(variables, found.plugins),
        *(
            PluginReport(
                PluginState.WARN,
                distribution,
                faults=[f"its group {group!r} of entry points is read by nobody: {PROJECT!r}?"],
            )
            for distribution, group in find_stray_groups()
        ),
        *_describe_errors(found.errors),
    ]  # fmt: skip


async def _check(plugins: Plugins, ended: Mapping[str, str]) -> dict[OfferKey, PluginCheck]:
    """Ask whether the plugins' objects work; one that blocks the process ends it."""
    experiences = PluginExperiences()
    for name, how in ended.items():
        experiences.get(name).count_block(how)
    limit = HardLimit(SLOT.file, SLOT.note_tick)
    limit.start()
    checks = await check_offers(plugins, experiences)
    with suppress(Exception):  # the report says more than an error of `close`
        await plugins.close(experiences)
    limit.stop()
    return checks


def _describe_errors(errors: Sequence[SettingsError]) -> list[PluginReport]:
    """Return the variables for which no process starts with any plugins, as one report."""
    lines = [str(one) for error in errors for one in error.errors]
    if not lines:
        return []
    return [PluginReport(PluginState.FAILED, "settings", faults=list(dict.fromkeys(lines)))]


def _describe_variables(variables: Mapping[str, str], loaded: Plugins) -> list[PluginReport]:
    """Return a line for each unused variable that looks like a plugin's."""
    known = list_variables(loaded)
    return [
        PluginReport(
            PluginState.WARN,
            name,
            faults=["is read by nobody" + (f"; {similar} is meant?" if similar else "")],
        )
        for name, similar in find_unknown_variables(variables, known)
    ]
