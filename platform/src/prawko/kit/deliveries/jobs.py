"""Jobs of the outbox, of delivery reports and of their retention."""

from datetime import timedelta

from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.delivery_reports import process_reports
from prawko.kit.deliveries.senders import ChannelSenders, configured_channels
from prawko.kit.incidents.service import report_ended_incidents
from prawko.kit.observability import logs
from prawko.kit.outbox.rendering import get_renderers
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.webhooks.repository import WebhookEventRepository
from prawko.kit.work.jobs import job

log = logs.get_logger(__name__)

RETENTION = timedelta(days=30)  # of messages and webhook events
BATCH_SIZE = 5000
WATCH_SECONDS = 1.0


@job(timeout=300)
async def deliver_pending(context: AppContext) -> None:
    """Send the due messages."""
    if await context.components.get(ChannelSenders).run(context, get_renderers(context)):
        await context.queue.enqueue(deliver_pending)


@job(timeout=30)
async def wake_sender(context: AppContext) -> None:
    """Enqueue `deliver_pending`: for the messages whose next attempt is due.

    A new message does so itself (`enqueue_messages`); this makes up for a job that was lost.
    """
    await context.queue.enqueue(deliver_pending)


async def watch_lapsed_messages(context: AppContext) -> None:
    """Until the shutdown, enqueue `deliver_pending` when a process has left a message it held."""
    media = configured_channels(context)
    while not context.shutdown:
        try:
            async with context.database.system() as session:
                lapsed = await DeliveryRepository(session).find_lapsed(utc_now(), *media)
            if lapsed is not None and not context.must_stop():
                await context.queue.enqueue(deliver_pending)
        except Exception as error:  # noqa: BLE001 (the boundary of the process: it goes on)
            log.warning("lapsed_messages_not_watched", error=type(error).__name__)
        await context.shutdown.sleep_up_to(WATCH_SECONDS)


@job(timeout=300)
async def process_delivery_reports(context: AppContext) -> None:
    """Process stored delivery reports; also scheduled, in case a job was lost."""
    await process_reports(context, get_renderers(context).feedback)


@job(timeout=30)
async def mail_incident_ends(context: AppContext) -> None:
    """Mail the ends of incidents."""
    now = max(context.clock.now(), utc_now())  # incidents are dated by either clock
    async with context.database.system() as session:
        await report_ended_incidents(session, now)


@job(timeout=300)
async def purge_messages(context: AppContext) -> None:
    """Delete messages and webhook events older than RETENTION, in batches."""
    before = utc_now() - RETENTION
    context.clock_guard.require_trusted()
    total, deleted = 0, 1
    while deleted:
        async with context.database.system() as session:
            deleted = await DeliveryRepository(session).delete_finished_before(before, BATCH_SIZE)
        async with context.database.system() as session:
            events = WebhookEventRepository(session)
            deleted += await events.delete_received_before(before, BATCH_SIZE)
        total += deleted
    log.info("messages_purged", rows=total)
