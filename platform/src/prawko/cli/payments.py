"""Money that does not match, for operators: looked at, given back, settled with a note."""

import argparse
import re
from collections.abc import Mapping
from uuid import UUID

from prawko.base.clock import machine_now
from prawko.cli.opening import complain, opened
from prawko.cli.processes import Commands
from prawko.hooks.payments import RefundState
from prawko.payments.asking import NoAnswerError
from prawko.payments.findings import Finding, findings, settle
from prawko.payments.giving_back import give_back


def add_commands(commands: Commands) -> None:
    """Add payments list, refund and settle."""
    group = commands.add_parser("payments", help="money that does not match").add_subparsers(
        required=True
    )
    listing = group.add_parser("list", help="what was found and is not settled yet")
    listing.add_argument("--all", action="store_true", help="what was settled, too")
    listing.set_defaults(run=run_list)
    refunding = group.add_parser("refund", help="give it back through its provider")
    refunding.add_argument("id", type=UUID)
    refunding.add_argument("amount", type=grosze, help="in the currency of the payment: 183.27")
    refunding.set_defaults(run=run_refund)
    settling = group.add_parser("settle", help="note what was done about it")
    settling.add_argument("id", type=UUID)
    settling.add_argument("--note", required=True)
    settling.set_defaults(run=run_settle)


async def run_list(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Print it, oldest first. Needs the worker's login."""
    async with opened(variables) as tools, tools.database.system() as session:
        found = await findings(session, settled_too=parsed.all)
    for finding in found:
        print(_told(finding))
    return 0


async def run_settle(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Settle one, and close its incident. Needs the worker's login."""
    note = parsed.note.strip()
    if not note:
        return complain("a note says what was done")
    async with opened(variables) as tools, tools.database.system() as session:
        settled = await settle(session, parsed.id, note, tools.clock.now(), machine_now())
    if settled is None:
        return complain(f"nothing that is open has the id {parsed.id}")
    print(_told(settled))
    return 0


async def run_refund(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Give money back and settle the finding. Needs the worker's login."""
    async with opened(variables) as tools:
        async with tools.database.system() as session:
            open_ones = {one.id: one for one in await findings(session, settled_too=False)}
        finding = open_ones.get(parsed.id)
        if finding is None:
            return complain(f"nothing that is open has the id {parsed.id}")
        try:
            refund = await give_back(tools, finding, parsed.amount)
        except NoAnswerError:
            return complain("no answer: give the same command again, nothing is given twice")
        if refund.state is RefundState.REFUSED:
            return complain(f"refused: {refund.reason}")
        note = f"given back: {parsed.amount / 100:.2f} {finding.currency} ({refund.state.value})"
        async with tools.database.system() as session:
            settled = await settle(session, finding.id, note, tools.clock.now(), machine_now())
    print(_told(settled or finding))
    return 0


def grosze(amount: str) -> int:
    """The amount in hundredths. Raises ValueError for what is no amount with two places."""
    if not re.fullmatch(r"[0-9]{1,9}[.,][0-9]{2}", amount, re.ASCII):
        raise ValueError(amount)
    return int(amount[:-3] + amount[-2:])


def _told(finding: Finding) -> str:
    head = f"{finding.id}  {finding.found_at:%Y-%m-%d %H:%M}Z  {finding.kind.value}"
    lines = [head, f"    {finding.told}"]
    if finding.tenant_id is not None:
        lines.append(f"    company {finding.tenant_id}")
    if finding.settled_at is not None:
        lines.append(f"    settled {finding.settled_at:%Y-%m-%d %H:%M}Z: {finding.settled_note}")
    return "\n".join(lines)
