"""Commands about the daily check: running it, reviewing mass changes, rotating keys."""

import asyncio
import signal
from datetime import date, datetime

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.apps.cli.context import DATE, INTERRUPTED, exit_with_error, with_acts, with_context
from prawko.apps.composition_root import create_renderer_registry
from prawko.console.check_runs import NoPendingReviewError, decide_mass_change
from prawko.kit.context import AppContext
from prawko.kit.incidents.clock_monitoring import require_right_clock
from prawko.verifications.answers import reencrypt_answers
from prawko.verifications.daily.run_now import run_daily_check
from prawko.verifications.daily.run_repository import RunProgress
from prawko.verifications.mass_change import ReviewDecision
from prawko.verifications.mass_change_review import (
    apply_approval,
    apply_rejection,
    list_pending_reviews,
)


@click.command("daily-check")
@with_acts()
async def daily_check(context: AppContext, acts: OperatorActs, reason: str | None) -> int:
    """Check every driver who is due today.

    Shows its progress and prints a report as JSON. Ctrl-C stops between two writes; calling
    again resumes. Exits with 1 while drivers are unresolved.
    """
    await require_right_clock(context)
    async with acts.open_system():
        await acts.record(AdminActionType.CHECK_STARTED, reason=reason, requires_reason=False)
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


@mass_change.command()
@click.argument("day", metavar="YYYY-MM-DD", type=DATE)
@with_acts()
async def approve(
    context: AppContext, acts: OperatorActs, day: datetime, reason: str | None
) -> None:
    """Apply the quarantined changes of a day; the worker sends the notices."""
    await _decide(acts, day.date(), ReviewDecision.APPROVED, reason)
    result = await apply_approval(context, day.date())
    click.echo(f"{result.outcomes.total()} drivers changed, {result.notices} notices")


@mass_change.command()
@click.argument("day", metavar="YYYY-MM-DD", type=DATE)
@with_acts()
async def reject(
    context: AppContext, acts: OperatorActs, day: datetime, reason: str | None
) -> None:
    """Discard the quarantined changes of a day."""
    await _decide(acts, day.date(), ReviewDecision.REJECTED, reason)
    rejected = await apply_rejection(context, day.date())
    click.echo(f"{rejected} changes rejected")


async def _decide(
    acts: OperatorActs, day: date, decision: ReviewDecision, reason: str | None
) -> None:
    """Store and record a decision; ends the command unless one is awaited."""
    try:
        await decide_mass_change(acts, day, decision, reason)
    except NoPendingReviewError:
        exit_with_error(f"no mass change of {day} awaits a review")


@click.group()
def answers() -> None:
    """The register's raw answers."""


@answers.command()
@with_acts()
async def reencrypt(context: AppContext, acts: OperatorActs, reason: str | None) -> int:
    """Encrypt every answer with the first of ANSWER_KEYS.

    Exits with 1 when the key of some rows is lost.
    """
    key_id = context.key_ring.answer_cipher.current_key_id
    async with acts.open_system():
        await acts.record(
            AdminActionType.ANSWERS_REENCRYPTED, reason=reason, requires_reason=False, key=key_id
        )
    moved, lost = await reencrypt_answers(context)
    click.echo(f"{moved} answers encrypted with key {key_id}, {lost} cannot be decrypted")
    return 1 if lost else 0
