"""Messages of the outbox: those that wait or failed, and sending them at once."""

from datetime import datetime
from uuid import UUID

import click
from sqlalchemy import Update, select, update

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.apps.cli.context import exit_with_error, with_acts, with_context
from prawko.console.deliveries import SECRET_KINDS, restart_delivery
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.database import count_changes
from prawko.kit.outbox.models import Delivery
from prawko_tenants.sessions import SystemSession

MAX_LISTED = 200


@click.group()
def deliveries() -> None:
    """Mails and SMS of the outbox. All commands need a worker's variables."""


@deliveries.command("list")
@click.option("--failed", is_flag=True, help="those that will not be sent, the newest first")
@with_context()
async def list_messages(context: AppContext, *, failed: bool) -> None:
    """List the messages that wait, the oldest first, with the reason; 200 at most."""
    order = Delivery.created_at.desc() if failed else Delivery.created_at
    statement = (
        select(Delivery)
        .where(Delivery.state == ("failed" if failed else "pending"))
        .order_by(order, Delivery.id)
        .limit(MAX_LISTED)
    )
    async with context.database.system() as session:
        for row in await session.scalars(statement):
            click.echo(_format(row))


@deliveries.command()
@click.argument("delivery_id", metavar="ID", type=click.UUID, required=False)
@click.option("--waiting", is_flag=True, help="all that wait for their next try")
@with_acts()
async def retry(
    _context: AppContext, acts: OperatorActs, delivery_id: UUID | None, *, waiting: bool,
    reason: str | None,
) -> None:  # fmt: skip
    """Send a failed message again, or let one that waits be tried at once.

    The worker sends them within a minute. A code or an answer whose secret was deleted is not
    sent again.
    """
    if (delivery_id is None) is not waiting:
        exit_with_error("give either an ID or --waiting")
    async with acts.open_system() as session:
        if delivery_id is None:
            now = utc_now()
            due = (Delivery.state == "pending") & (Delivery.next_try_at > now)
            changed = int(await count_changes(session, _try_at(now).where(due)))
            await acts.record(
                AdminActionType.DELIVERIES_RETRIED, reason=reason, requires_reason=False,
                count=changed,
            )  # fmt: skip
        else:
            changed = await _retry_one(session, acts, delivery_id, reason)
    click.echo(f"{changed} message(s) will be tried within a minute")


async def _retry_one(
    session: SystemSession, acts: OperatorActs, delivery_id: UUID, reason: str | None
) -> int:
    """Retry a message and record it; return the number of messages, which is 1."""
    row = await session.scalar(select(Delivery).where(Delivery.id == delivery_id))
    if row is None:
        exit_with_error(f"no message has the id {delivery_id}")
    if row.state == "pending":
        await session.execute(_try_at(utc_now()).where(Delivery.id == row.id))
        await acts.record(
            AdminActionType.DELIVERIES_RETRIED, tenant_id=row.tenant_id, reason=reason,
            requires_reason=False, delivery=delivery_id,
        )  # fmt: skip
    elif row.state != "failed" or row.kind in SECRET_KINDS:
        exit_with_error(f"a {row.kind} that is {row.state} is not sent again")
    else:
        await restart_delivery(session, acts, delivery_id, row.tenant_id, reason)
    return 1


def _try_at(now: datetime) -> Update:
    return update(Delivery).values(next_try_at=now)


def _format(row: Delivery) -> str:
    company = row.tenant_id or "operators"
    head = f"{row.id}  {row.created_at:%Y-%m-%d %H:%M}Z  {row.channel_medium}  {row.kind}"
    return f"{head}  {company}  {row.attempts} tries  {row.failure or 'not tried yet'}"
