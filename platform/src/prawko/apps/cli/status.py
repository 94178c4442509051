"""The state of the daily work, and the incidents, on the terminal."""

from collections.abc import Sequence

import click
import msgspec

from prawko.apps.cli.context import with_context
from prawko.apps.cli.status_report import Finding, FindingState, collect_status
from prawko.kit.context import AppContext
from prawko.kit.incidents.heartbeats import describe_gap, load_watch
from prawko.kit.incidents.models import Incident
from prawko.kit.incidents.repository import IncidentRepository

_EXIT_CODES = {FindingState.OK: 0, FindingState.WARN: 1, FindingState.FAIL: 2}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="as JSON, one object for each line")
@with_context()
async def status(context: AppContext, *, as_json: bool) -> int:
    """Show the state of today's check, the messages, the providers and monitoring.

    Needs a worker's variables. Exits with 0 when all is well, with 1 when an operator should look,
    and with 2 when a provider rejects us or monitoring has stopped.
    """
    return print_findings(await collect_status(context), as_json=as_json)


def print_findings(findings: Sequence[Finding], *, as_json: bool) -> int:
    """Print the lines and return the exit code of the worst one."""
    for one in findings:
        line = f"{one.state.value:<4}  {one.about}: {one.text}"
        click.echo(msgspec.json.encode(one) if as_json else line)
    return max((_EXIT_CODES[one.state] for one in findings), default=0)


NOBODY_WATCHES = 2


@click.command()
@click.option("--all", "include_closed", is_flag=True, help="closed ones, too")
@with_context()
async def incidents(context: AppContext, *, include_closed: bool) -> int:
    """List incidents, oldest first; exits with 1 while one is open, with 2 without monitoring."""
    async with context.database.system() as session:
        rows = await IncidentRepository(session).list_all(include_closed=include_closed)
        watch = await load_watch(session)
    for row in rows:
        click.echo(_format(row))
    if (gap := describe_gap(watch)) is not None:
        click.echo(gap, err=True)
        return NOBODY_WATCHES
    return int(any(row.closed_at is None for row in rows))


def _format(row: Incident) -> str:
    state = "closed" if row.closed_at else "mailed" if row.mailed_at else "unsent"
    return f"{row.opened_at:%Y-%m-%d %H:%M}Z  {state}  {row.kind} {row.key}: {row.detail}"
