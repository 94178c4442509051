"""Incidents on the terminal, also when no mail can be sent."""

import click

from prawko.apps.cli.context import with_context
from prawko.kit.context import AppContext
from prawko.kit.incidents.heartbeats import describe_gap, load_watch
from prawko.kit.incidents.models import Incident
from prawko.kit.incidents.repository import IncidentRepository

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
