"""Tickets and contact messages on the terminal."""

from collections.abc import Mapping

import click

from prawko.cli.context import open_context, run_async
from prawko.support.listing import Submission, list_submissions


@click.group()
def support() -> None:
    """Tickets and contact messages."""


@support.command("list")
@click.option("--all", "include_forwarded", is_flag=True, help="forwarded ones, too")
@click.pass_obj
@run_async
async def list_pending(variables: Mapping[str, str], *, include_forwarded: bool) -> None:
    """List those that were not forwarded yet, oldest first.

    Needs the worker's and the planner's logins.
    """
    async with open_context(variables) as context:
        for one in await list_submissions(context, include_forwarded=include_forwarded):
            click.echo(_format(one))


def _format(one: Submission) -> str:
    state = "forwarded" if one.forwarded else "pending"
    head = f"{one.submitted_at:%Y-%m-%d %H:%M}Z  {one.kind}  {state}  {one.sender}: {one.subject}"
    return "\n".join((head, *(f"    {row}" for row in one.message.split("\n")), ""))
