"""Commands about plugins: those installed and configured, whether they work, and a new one."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import click
import msgspec

from prawko.apps.cli.context import exit_with_error
from prawko.apps.cli.hooks_page import render_hooks_page
from prawko.apps.cli.plugin_report import PluginReport, PluginState, build_reports, format_report
from prawko.apps.cli.plugin_templates import PluginTemplate, write_plugin
from prawko.apps.cli.plugin_trial import try_plugin
from prawko.apps.cli.reference import replace_marked_text
from prawko.hooks import PROJECT
from prawko.hooks.environment import SettingsError
from prawko.kit.bootstrap import inspect_start
from prawko.kit.providers.call_slot import SLOT
from prawko.kit.providers.checks import OfferKey, PluginCheck, check_offers
from prawko.kit.providers.child_runs import Ended, find_loading_faults, run_in_child
from prawko.kit.providers.entries import (
    DISABLED_VARIABLE,
    discover_plugins,
    find_disabled_plugins,
    find_stray_groups,
    find_wrong_names,
)
from prawko.kit.providers.experience import PluginExperiences
from prawko.kit.providers.hard_limit import HardLimit
from prawko.kit.providers.registry import Plugins
from prawko.kit.variables import find_unknown_variables, list_variables

HOOKS_BEGIN, HOOKS_END = "<!-- hooks -->\n", "<!-- /hooks -->\n"
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


@plugins.command("try")
@click.argument("name")
@click.option(
    "--tests",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="the folder of its contract tests; that of an editable plugin's project is found",
)
@click.option("--json", "as_json", is_flag=True, help="as JSON, one object for each test")
@click.pass_context
def try_one(command: click.Context, name: str, tests: Path | None, *, as_json: bool) -> int:
    """Run the contract tests of an installed plugin, and drills against a server that fails.

    NAME is the plugin's, as `prawko plugins` lists it. It is loaded in a child process with the
    address of a server of this machine, which hangs, refuses, breaks off, redirects, answers
    garbage, without end and about another payment; each call has to end in time with a documented
    error. Names the plugin's class and line, what was wanted and what came. Exits with 1 when
    something fails. Needs prawko[testing].
    """
    if name not in (known := entry_points(group=PROJECT).names):
        exit_with_error(f"no plugin is named {name!r}; installed: {', '.join(sorted(known))}")
    if find_spec("prawko_testing") is None:
        exit_with_error("prawko[testing] is not installed")
    # Loads pytest, which no other command needs.
    format_trial = import_module("prawko_testing.trial").format_trial

    results = try_plugin(name, command.obj, tests)
    lines = (
        (msgspec.json.encode(one).decode() for one in results) if as_json else format_trial(results)
    )
    for line in lines:
        click.echo(line)
    return int(any(one.state == "fail" for one in results))


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
    """Inspect in a child process; the plugin that ends one is left alone in the next."""

    def inspect(ended: Ended) -> bytes:
        return msgspec.json.encode(_inspect(variables, ended, is_checking=is_checking))

    run = run_in_child(inspect)
    if run.result is not None:
        return msgspec.json.decode(run.result, type=list[PluginReport])
    fault = f"a process that inspects them ends with the code {run.exit_code}"
    return [PluginReport(PluginState.FAILED, "plugins", faults=[fault])]


def _inspect(
    variables: Mapping[str, str], ended: Ended, *, is_checking: bool
) -> list[PluginReport]:
    """Report on the plugins; `ended` says of those that ended a process how they did."""
    installed = discover_plugins(variables, faults=find_loading_faults(ended))
    found = inspect_start(variables, installed)
    checks = asyncio.run(_check(found.plugins, ended)) if is_checking else {}
    return [
        *build_reports(installed, found, checks, variables),
        *(
            PluginReport(PluginState.DISABLED, name, faults=[f"{DISABLED_VARIABLE} leaves it out"])
            for name in sorted(find_disabled_plugins(variables) & entry_points(group=PROJECT).names)
        ),
        *(
            PluginReport(PluginState.WARN, name, faults=[f"is not installed: {DISABLED_VARIABLE}"])
            for name in find_wrong_names(variables)
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


async def _check(plugins: Plugins, ended: Ended) -> dict[OfferKey, PluginCheck]:
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
