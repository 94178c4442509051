"""Payment discrepancies: list, refund, resolve with a note. All need the worker's login."""

import re
from uuid import UUID

import click

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.apps.cli.context import exit_with_error, with_acts, with_context
from prawko.console.discrepancies import (
    DiscrepancyResolvedError,
    RefundIn,
    RefundNotPossibleError,
    RefundPendingError,
    ResolutionIn,
    request_refund,
    resolve_with_note,
)
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.payments.discrepancies import list_discrepancies
from prawko.payments.models import PaymentDiscrepancy
from prawko.payments.provider_calls import ProviderUnavailableError
from prawko.payments.refunds import RefundRefusedError, refund_discrepancy


class AmountType(click.ParamType[int]):
    """An amount with two decimal places, as an integer of hundredths."""

    name = "amount"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if not re.fullmatch(r"[0-9]{1,9}[.,][0-9]{2}", value, re.ASCII):
            self.fail(f"{value!r} is no amount such as 183.27", param, ctx)
        return int(value[:-3] + value[-2:])


@click.group()
def payments() -> None:
    """Payment discrepancies."""


@payments.command("list")
@click.option("--all", "include_resolved", is_flag=True, help="resolved ones, too")
@with_context()
async def list_open(context: AppContext, *, include_resolved: bool) -> None:
    """List open discrepancies, oldest first."""
    async with context.database.system() as session:
        for discrepancy in await list_discrepancies(session, include_resolved=include_resolved):
            click.echo(_format(discrepancy))


@payments.command()
@click.argument("discrepancy_id", metavar="ID", type=click.UUID)
@click.option("--note", required=True, help="what was done about it")
@with_acts()
async def resolve(
    context: AppContext, acts: OperatorActs, discrepancy_id: UUID, note: str, reason: str | None
) -> None:
    """Resolve a discrepancy with a note, and close its incident."""
    if not note.strip():
        exit_with_error("a note says what was done")
    try:
        await resolve_with_note(acts, discrepancy_id, ResolutionIn(note=note, reason=reason))
    except RefundPendingError:
        exit_with_error("its refund was requested and is not made yet: that resolves it")
    except (NotFoundError, DiscrepancyResolvedError):
        exit_with_error(f"no open discrepancy has the id {discrepancy_id}")
    async with context.database.system() as session:
        click.echo(_format(await session.get_one(PaymentDiscrepancy, discrepancy_id)))


@payments.command()
@click.argument("discrepancy_id", metavar="ID", type=click.UUID)
@click.argument("amount", type=AmountType())
@with_acts()
async def refund(
    context: AppContext, acts: OperatorActs, discrepancy_id: UUID, amount: int, reason: str | None
) -> None:
    """Refund through the provider, and resolve the discrepancy.

    The amount is in the currency of the payment: 183.27
    """
    try:
        data = RefundIn(amount_grosze=amount, reason=reason)
        await request_refund(acts, discrepancy_id, data)
        # Here and now. A worker makes it where this process ends before.
        discrepancy = await refund_discrepancy(context, discrepancy_id, amount)
    except (NotFoundError, DiscrepancyResolvedError, LookupError):
        exit_with_error(f"no open discrepancy has the id {discrepancy_id}")
    except RefundNotPossibleError as error:
        exit_with_error(f"refused: {error.reason}")
    except ProviderUnavailableError:
        exit_with_error("no answer: give the same command again, nothing is refunded twice")
    except RefundRefusedError as error:
        exit_with_error(f"refused: {error}")
    click.echo(_format(discrepancy))


def _format(discrepancy: PaymentDiscrepancy) -> str:
    found = f"{discrepancy.detected_at:%Y-%m-%d %H:%M}Z"
    lines = [f"{discrepancy.id}  {found}  {discrepancy.kind.value}", f"    {discrepancy.summary}"]
    if discrepancy.tenant_id is not None:
        lines.append(f"    company {discrepancy.tenant_id}")
    if discrepancy.resolved_at is not None:
        resolved = f"{discrepancy.resolved_at:%Y-%m-%d %H:%M}Z"
        lines.append(f"    resolved {resolved}: {discrepancy.resolution_note}")
    return "\n".join(lines)
