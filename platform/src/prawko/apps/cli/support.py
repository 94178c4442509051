"""Tickets and contact messages on the terminal."""

import click

from prawko.apps.cli.context import with_context
from prawko.kit.context import AppContext
from prawko.support.service import Submission, list_submissions


@click.group()
def support() -> None:
    """Tickets and contact messages."""


@support.command("list")
@click.option("--all", "include_forwarded", is_flag=True, help="forwarded ones, too")
@with_context()
async def list_pending(context: AppContext, *, include_forwarded: bool) -> None:
    """List those that were not forwarded yet, oldest first.

    Needs the worker's and the planner's logins.
    """
    for one in await list_submissions(context, include_forwarded=include_forwarded):
        click.echo(_format(one))


def _format(one: Submission) -> str:
    state = "forwarded" if one.forwarded else "pending"
    if one.probable_spam:
        state += ", probable spam"
    head = f"{one.submitted_at:%Y-%m-%d %H:%M}Z  {one.kind}  {state}  {one.sender}: {one.subject}"
    return "\n".join((head, *(f"    {row}" for row in one.message.split("\n")), ""))
