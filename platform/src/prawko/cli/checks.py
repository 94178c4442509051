"""The daily check by hand, the operator's word about a held one, and the keys of old answers."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from datetime import date

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from prawko.base.jobs import Tools
from prawko.cli.opening import opened
from prawko.cli.processes import Commands
from prawko.verifications.daily import run_daily_check
from prawko.verifications.resealing import reseal
from prawko.verifications.runs import Progress
from prawko.verifications.settling import drop, held_runs, release
from prawko.worker.wiring import correspondence


def add_commands(commands: Commands) -> None:
    """Add daily-check, held and answers."""
    check = commands.add_parser("daily-check", help="check everybody who is due today")
    check.set_defaults(run=run_check)
    held = commands.add_parser("held", help="mass changes that wait for a word")
    words = held.add_subparsers(required=True)
    words.add_parser("list", help="which days wait").set_defaults(run=run_list)
    for word, function in (("release", run_release), ("drop", run_drop)):
        command = words.add_parser(word, help=f"{word} what a day holds")
        command.add_argument("day", type=date.fromisoformat)
        command.set_defaults(run=function)
    answers = commands.add_parser("answers", help="the register's raw answers")
    keys = answers.add_subparsers(required=True)
    keys.add_parser("reseal", help="move old rows to the first of ANSWER_KEYS").set_defaults(
        run=run_reseal
    )


async def run_check(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Check with a bar that moves. Ctrl-C stops between two writes; calling again resumes."""

    async def check(tools: Tools) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, tools.stopping.say)
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Bar(*columns, TimeRemainingColumn(), console=console) as bar:
            task = bar.add_task("checking", total=None)

            def show(run: Progress) -> None:
                bar.update(task, total=run.planned, completed=run.planned - run.unresolved)

            report = await run_daily_check(tools, correspondence(tools), on_progress=show)
        print(msgspec.json.encode(report).decode())
        if tools.stopping:
            print("interrupted; call again to resume", file=sys.stderr)
            return 130
        return 0 if report.unresolved == 0 else 1

    return await _with_tools(variables, check)


async def run_list(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """List the runs that wait."""

    async def show(tools: Tools) -> int:
        for run in await held_runs(tools):
            print(f"{run.day}  {run.waiting} of {run.planned} drivers wait")
        return 0

    return await _with_tools(variables, show)


async def run_release(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Let the day's held turns take effect; the worker sends the mails."""

    async def do(tools: Tools) -> int:
        settled = await release(tools, parsed.day)
        print(f"{settled.outcomes.total()} drivers changed, {settled.notices} notices")
        return 0

    return await _with_tools(variables, do)


async def run_drop(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Forget the day's held turns."""

    async def do(tools: Tools) -> int:
        print(f"{await drop(tools, parsed.day)} turns dropped")
        return 0

    return await _with_tools(variables, do)


async def run_reseal(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Seal anew whatever an older key sealed; says how many rows are left with a lost one."""

    async def do(tools: Tools) -> int:
        moved, lost = await reseal(tools)
        print(
            f"{moved} answers moved to key {tools.vault.answers.current}, {lost} cannot be opened"
        )
        return 1 if lost else 0

    return await _with_tools(variables, do)


async def _with_tools(
    variables: Mapping[str, str], command: Callable[[Tools], Awaitable[int]]
) -> int:
    async with opened(variables) as tools:
        return await command(tools)
