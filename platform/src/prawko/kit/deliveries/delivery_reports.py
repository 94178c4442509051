"""Processes delivery reports of carriers: records them and informs the recipient's domain.

Each report is applied in one transaction. The worst report of a message is kept, so that their
order and repetition make no difference.
"""

from collections.abc import Sequence
from functools import partial

import msgspec

from prawko.hooks.channels import DeliveryReport, DeliveryReportKind, Medium, ReportingChannel
from prawko.kit.backoff import BACKOFF, MAX_ATTEMPTS
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError
from prawko.kit.observability import logs
from prawko.kit.outbox.rendering import DeliveryFeedback, to_due_message
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.text.plain_text import redact
from prawko.kit.webhooks.models import WebhookEvent
from prawko.kit.webhooks.repository import WebhookEventRepository, WebhookOutcome
from prawko.kit.work.leased_work import run_work
from prawko_tenants.sessions import BatchSession

log = logs.get_logger(__name__)


def reporting_channels(context: AppContext) -> dict[str, ReportingChannel]:
    """Return the channels whose carriers send reports, by name, in use for sending or not."""
    return {
        name: channel
        for name, channel in context.plugins.channels.items()
        if isinstance(channel, ReportingChannel)
    }


async def process_reports(context: AppContext, feedback: DeliveryFeedback) -> int:
    """Process the stored reports that are due; returns how many."""
    channels = reporting_channels(context)
    if not channels:
        return 0

    async def claim(_: int) -> Sequence[WebhookEvent]:
        async with context.database.system() as session:
            return await WebhookEventRepository(session).claim(channels, utc_now())

    handle, on_error = partial(_process_event, context, feedback), partial(_reschedule, context)
    return await run_work(
        context, claim=claim, handle=handle, on_error=on_error, limit=1, renews=True
    )


async def _process_event(
    context: AppContext, feedback: DeliveryFeedback, event: WebhookEvent
) -> None:
    medium = reporting_channels(context)[event.provider].medium
    async with context.database.batch() as session:
        outcome = await _apply_report(session, context, feedback, event, medium)
        if not await WebhookEventRepository(session).complete(event, outcome, utc_now()):
            await session.rollback()  # the lease was lost: another process applies the report
            return
    log.info("report_processed", provider=event.provider, outcome=outcome.value)


async def _apply_report(
    session: BatchSession,
    context: AppContext,
    feedback: DeliveryFeedback,
    event: WebhookEvent,
    medium: Medium,
) -> WebhookOutcome:
    try:
        report = msgspec.json.decode(event.decrypt_body(context.key_ring), type=DeliveryReport)
    except DecryptionError:
        return WebhookOutcome.UNDECRYPTABLE
    outbox, reason = DeliveryRepository(session), redact(report.reason)
    row = await outbox.record_report(report, medium, event.provider, reason, utc_now())
    if row is None:
        is_known = await outbox.is_known(report, medium)
        return WebhookOutcome.DUPLICATE if is_known else WebhookOutcome.UNKNOWN
    due = to_due_message(row, context.key_ring)
    if due.tenant_id is not None:
        await session.switch_tenant(due.tenant_id)
    if report.kind is DeliveryReportKind.DELIVERED:
        await feedback.on_delivered(session, [due])
    else:
        log.warning("delivery_reported", delivery_id=str(due.id), report=report.kind.value)
        await feedback.on_report(session, due, report, reason)
    return WebhookOutcome.APPLIED


async def _reschedule(context: AppContext, event: WebhookEvent, error: Exception) -> bool:
    """Schedule the next attempt, or give up after the last; the other reports go on."""
    attempts = event.attempts
    log.error("report_rescheduled", provider=event.provider, attempts=attempts, exc_info=error)
    async with context.database.system() as session:
        events = WebhookEventRepository(session)
        if attempts >= MAX_ATTEMPTS:
            await events.complete(event, WebhookOutcome.GIVEN_UP, utc_now())
        else:
            await events.release(event, utc_now() + BACKOFF.delay(attempts))
    return True
