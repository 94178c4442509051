"""What people wrote to us, for operators; all of it, were there no address to mail it to."""

import argparse
from collections.abc import Mapping

from prawko.cli.opening import opened
from prawko.cli.processes import Commands
from prawko.support.inbox import Written, written


def add_commands(commands: Commands) -> None:
    """Add support list."""
    group = commands.add_parser("support", help="what people wrote").add_subparsers(required=True)
    listing = group.add_parser("list", help="tickets and messages that were not mailed yet")
    listing.add_argument("--all", action="store_true", help="those that were mailed, too")
    listing.set_defaults(run=run_list)


async def run_list(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Print them, oldest first. Needs the worker's and the planner's logins."""
    async with opened(variables) as tools:
        for one in await written(tools, mailed_too=parsed.all):
            print(_told(one))
    return 0


def _told(one: Written) -> str:
    mailed = "mailed" if one.passed_on else "waits"
    head = f"{one.at:%Y-%m-%d %H:%M}Z  {one.kind}  {mailed}  {one.sender}: {one.about}"
    return "\n".join((head, *(f"    {row}" for row in one.message.split("\n")), ""))
