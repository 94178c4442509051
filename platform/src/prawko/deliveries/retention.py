"""Retention of messages and webhook events. Holds its SQL.

A month is enough for questions of customers ("did you write to me?") and longer than any
carrier repeats a report. The content of a message stays with its notice.
"""

from datetime import timedelta

from sqlalchemy import TextClause, text

from prawko.base import logs
from prawko.base.clock import utc_now
from prawko_tenants.engine import Database

log = logs.get_logger(__name__)

RETENTION = timedelta(days=30)
BATCH_SIZE = 5000

_DELETE_MESSAGES = text("""
    DELETE FROM delivery WHERE id IN (
        SELECT id FROM delivery WHERE state <> 'pending' AND created_at < :before LIMIT :limit
    )
""")
# Unprocessed events too: their plugin may be gone, and no provider repeats an event for so long.
_DELETE_EVENTS = text("""
    DELETE FROM webhook_event WHERE id IN (
        SELECT id FROM webhook_event WHERE received_at < :before LIMIT :limit
    )
""")


async def purge_expired(database: Database) -> int:
    """Delete rows older than RETENTION in batches; returns how many."""
    total = 0
    for statement in (_DELETE_MESSAGES, _DELETE_EVENTS):
        while deleted := await _delete_batch(database, statement):
            total += deleted
    log.info("messages_purged", rows=total)
    return total


async def _delete_batch(database: Database, statement: TextClause) -> int:
    async with database.system() as session:
        result = await session.execute(
            statement, {"before": utc_now() - RETENTION, "limit": BATCH_SIZE}
        )
        return int(result.rowcount)  # type: ignore[attr-defined]
