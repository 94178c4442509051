"""The periodic jobs of payments."""

from prawko.base.context import AppContext
from prawko.base.jobs import job
from prawko.payments.alerts import report_payment_incidents
from prawko.payments.polling import poll_due
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
