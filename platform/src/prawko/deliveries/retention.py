"""Forgets messages and events that are long done. SQL of that one theme.

A month answers what customers ask ("did you write to me?") and is longer than any carrier
repeats a report; what the message told stays with its notice.
"""

from datetime import timedelta

from sqlalchemy import TextClause, text

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko_tenants.engine import Database

log = logs.logger(__name__)

KEPT = timedelta(days=30)
BATCH = 5000

_MESSAGES = text("""
    DELETE FROM delivery WHERE id IN (
        SELECT id FROM delivery WHERE state <> 'pending' AND created_at < :before LIMIT :most
    )
""")
# By the day it came: a provider that has said nothing of it for so long will not repeat it, and
# what no plugin of ours can read any more must not lie here for ever.
_EVENTS = text("""
    DELETE FROM webhook_event WHERE id IN (
        SELECT id FROM webhook_event WHERE received_at < :before LIMIT :most
    )
""")


async def forget(database: Database) -> int:
    """Delete what is older than a month, a few thousand rows at a time; returns how many."""
    forgotten = 0
    for statement in (_MESSAGES, _EVENTS):
        while deleted := await _delete(database, statement):
            forgotten += deleted
    log.info("messages_forgotten", rows=forgotten)
    return forgotten


async def _delete(database: Database, statement: TextClause) -> int:
    async with database.system() as session:
        done = await session.execute(statement, {"before": machine_now() - KEPT, "most": BATCH})
        return int(done.rowcount)  # type: ignore[attr-defined]
