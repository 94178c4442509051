"""Monitors how long messages wait: a carrier may refuse each of them for a reason that passes."""

from datetime import timedelta

from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.dates import format_instant
from prawko.base.i18n import Language
from prawko.deliveries.dispatcher import configured_channels
from prawko.incidents.service import set_incident
from prawko.outbox.repository import DeliveryRepository

MESSAGES_WAITING = "messages_waiting"


async def check_waiting_messages(context: AppContext) -> bool:
    """Open or close the incident of each configured medium; True when one was opened.

    A message waits since it was enqueued or, if it is to leave later, since then.
    """
    now = utc_now()
    before = now - timedelta(seconds=context.settings.max_message_delay)
    opened = False
    async with context.database.system() as session:
        for medium in configured_channels(context):
            count, oldest = await DeliveryRepository(session).count_waiting(medium, before)
            since = format_instant(oldest, Language.PL) if oldest else ""
            opened |= await set_incident(
                session,
                kind=MESSAGES_WAITING,
                key=medium.value,
                is_active=count > 0,
                detail=f"{count}, {since}",
                now=now,
            )
    return opened
