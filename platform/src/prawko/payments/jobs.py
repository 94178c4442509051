"""The periodic jobs of payments."""

from contextlib import suppress
from uuid import UUID

from prawko.kit.context import AppContext
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.polling import poll_due
from prawko.payments.provider_calls import ProviderUnavailableError
from prawko.payments.refunds import list_reserved_refunds, make_reserved_refund
from prawko.payments.webhook_processing import process_events


@job(timeout=300)
async def process_payment_events(context: AppContext) -> None:
    """Process stored webhook events; also enqueued when one is stored."""
    if context.plugins.payments and await process_events(context):
        await report_payment_incidents(context)


@job(timeout=300)
async def poll_open_payments(context: AppContext) -> None:
    """Poll the payments that are due, in case their webhooks were lost."""
    if context.plugins.payments and await poll_due(context):
        await report_payment_incidents(context)


@job(timeout=120)
async def make_requested_refund(context: AppContext, *, discrepancy_id: UUID) -> None:
    """Make a refund that an operator requested; `make_requested_refunds` repeats it if need be."""
    with suppress(ProviderUnavailableError):
        await make_reserved_refund(context, discrepancy_id)


@job(timeout=300)
async def make_requested_refunds(context: AppContext) -> None:
    """Repeat the requested refunds that are not made: of a job that was lost, or in vain."""
    async with context.database.system() as session:
        ids = await list_reserved_refunds(session)
    await run_each(
        context,
        zip(ids),
        lambda discrepancy_id: make_requested_refund(context, discrepancy_id=discrepancy_id),
        failure="refund_not_made",
    )
