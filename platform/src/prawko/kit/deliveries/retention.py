"""Retention of messages and webhook events.

A month is enough for questions of customers ("did you write to me?") and longer than any
carrier repeats a report. A notice keeps the content of its messages.
"""

from datetime import datetime, timedelta

from prawko.kit.observability import logs
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.webhooks.repository import WebhookEventRepository
from prawko_tenants.engine import Database

log = logs.get_logger(__name__)

RETENTION = timedelta(days=30)
BATCH_SIZE = 5000


async def purge_expired(database: Database, now: datetime) -> int:
    """Delete rows older than RETENTION in batches; returns how many."""
    before = now - RETENTION
    total, deleted = 0, 1
    while deleted:
        async with database.system() as session:
            deleted = await DeliveryRepository(session).delete_finished_before(before, BATCH_SIZE)
        async with database.system() as session:
            events = WebhookEventRepository(session)
            deleted += await events.delete_received_before(before, BATCH_SIZE)
        total += deleted
    log.info("messages_purged", rows=total)
    return total
