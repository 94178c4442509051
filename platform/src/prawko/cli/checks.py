"""Commands about the daily check: running it, reviewing mass changes, rotating keys."""

import asyncio
import signal
from datetime import datetime

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from prawko.base.context import AppContext
from prawko.cli.context import DATE, INTERRUPTED, exit_with_error, with_context
from prawko.incidents.clock_monitoring import require_right_clock
from prawko.verifications.daily.run_now import run_daily_check
from prawko.verifications.daily.run_repository import RunProgress
from prawko.verifications.key_rotation import reencrypt_answers
from prawko.verifications.mass_change.review import (
    approve_changes,
    list_pending_reviews,
    reject_changes,
)
from prawko.worker.composition_root import create_renderer_registry


@click.command("daily-check")
@with_context()
async def daily_check(context: AppContext) -> int:
    """Check every driver who is due today.

    Shows its progress and prints a report as JSON. Ctrl-C stops between two writes; calling
    again resumes. Exits with 1 while drivers are unresolved.
    """
    await require_right_clock(context)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, context.shutdown.set)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("checking", total=None)

        def show(run: RunProgress) -> None:
            bar.update(task, total=run.planned, completed=run.planned - run.unresolved)

        report = await run_daily_check(context, create_renderer_registry(context), on_progress=show)
    click.echo(msgspec.json.encode(report))
    if context.shutdown:
        click.echo("interrupted; call again to resume", err=True)
        return INTERRUPTED
    return 0 if report.unresolved == 0 else 1


@click.group("mass-change")
def mass_change() -> None:
    """Mass changes that await a review."""


@mass_change.command("list")
@with_context()
async def list_reviews(context: AppContext) -> None:
    """List the days that await a review."""
    for run in await list_pending_reviews(context):
        click.echo(f"{run.day}  {run.quarantined} of {run.planned} drivers are quarantined")


async def _require_review(context: AppContext, day: datetime) -> None:
    """Exit unless the changes of a day await a review."""
    if day.date() not in {run.day for run in await list_pending_reviews(context)}:
        exit_with_error(f"no mass change of {day.date()} awaits a review")


@mass_change.command()
@click.argument("day", metavar="YYYY-MM-DD", type=DATE)
@with_context()
async def approve(context: AppContext, day: datetime) -> None:
    """Apply the quarantined changes of a day; the worker sends the notices."""
    await _require_review(context, day)
    result = await approve_changes(context, day.date())
    click.echo(f"{result.outcomes.total()} drivers changed, {result.notices} notices")


@mass_change.command()
@click.argument("day", metavar="YYYY-MM-DD", type=DATE)
@with_context()
async def reject(context: AppContext, day: datetime) -> None:
    """Discard the quarantined changes of a day."""
    await _require_review(context, day)
    rejected = await reject_changes(context, day.date())
    click.echo(f"{rejected} changes rejected")


@click.group()
def answers() -> None:
    """The register's raw answers."""


@answers.command()
@with_context()
async def reencrypt(context: AppContext) -> int:
    """Encrypt every answer with the first of ANSWER_KEYS.

    Exits with 1 when the key of some rows is lost.
    """
    moved, lost = await reencrypt_answers(context)
    key_id = context.key_ring.answer_cipher.current_key_id
    click.echo(f"{moved} answers encrypted with key {key_id}, {lost} cannot be decrypted")
    return 1 if lost else 0
