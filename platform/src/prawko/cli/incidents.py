"""What the operators must know, for those whom no mail can tell."""

import argparse
from collections.abc import Mapping

from prawko.cli.opening import opened
from prawko.cli.processes import Commands
from prawko.deliveries.incidents import KnownIncident, all_incidents


def add_commands(commands: Commands) -> None:
    """Add incidents."""
    listing = commands.add_parser("incidents", help="what is wrong; exits with 1 when anything is")
    listing.add_argument("--all", action="store_true", help="what is over, too")
    listing.set_defaults(run=run_incidents)


async def run_incidents(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Print them, oldest first; 1 while any lasts, for whatever watches the machine."""
    async with opened(variables) as tools, tools.database.system() as session:
        found = await all_incidents(session, closed_too=parsed.all)
    for one in found:
        print(_told(one))
    return int(any(one.closed_at is None for one in found))


def _told(one: KnownIncident) -> str:
    state = "over" if one.closed_at else "mailed" if one.mailed_at else "untold"
    return f"{one.opened_at:%Y-%m-%d %H:%M}Z  {state}  {one.kind} {one.key}: {one.detail}"
