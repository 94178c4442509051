"""Money that does not match, for operators: looked at, and settled with a note."""

import argparse
import sys
from collections.abc import Mapping
from uuid import UUID

from prawko.base.clock import machine_now
from prawko.base.queue import SilentQueue
from prawko.base.start import close_tools, open_tools
from prawko.cli.processes import Commands
from prawko.payments.findings import Finding, findings, settle


def add_commands(commands: Commands) -> None:
    """Add payments list and settle."""
    group = commands.add_parser("payments", help="money that does not match").add_subparsers(
        required=True
    )
    listing = group.add_parser("list", help="what was found and is not settled yet")
    listing.add_argument("--all", action="store_true", help="what was settled, too")
    listing.set_defaults(run=run_list)
    settling = group.add_parser("settle", help="note what was done about it")
    settling.add_argument("id", type=UUID)
    settling.add_argument("--note", required=True)
    settling.set_defaults(run=run_settle)


async def run_list(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Print it, oldest first. Needs the worker's login."""
    tools = open_tools(variables, queue=SilentQueue())
    try:
        async with tools.database.system() as session:
            found = await findings(session, settled_too=parsed.all)
    finally:
        await close_tools(tools)
    for finding in found:
        print(_told(finding))
    return 0


async def run_settle(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Settle one, and close its incident. Needs the worker's login."""
    note = parsed.note.strip()
    if not note:
        print("a note says what was done", file=sys.stderr)
        return 1
    tools = open_tools(variables, queue=SilentQueue())
    try:
        async with tools.database.system() as session:
            settled = await settle(session, parsed.id, note, tools.clock.now(), machine_now())
    finally:
        await close_tools(tools)
    if settled is None:
        print(f"nothing that is open has the id {parsed.id}", file=sys.stderr)
        return 1
    print(_told(settled))
    return 0


def _told(finding: Finding) -> str:
    head = f"{finding.id}  {finding.found_at:%Y-%m-%d %H:%M}Z  {finding.kind.value}"
    lines = [head, f"    {finding.told}"]
    if finding.tenant_id is not None:
        lines.append(f"    company {finding.tenant_id}")
    if finding.settled_at is not None:
        lines.append(f"    settled {finding.settled_at:%Y-%m-%d %H:%M}Z: {finding.settled_note}")
    return "\n".join(lines)
