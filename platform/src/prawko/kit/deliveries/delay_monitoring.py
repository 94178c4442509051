"""Monitors how long messages wait: a carrier may refuse each of them for a reason that passes."""

from datetime import datetime, timedelta

from prawko.kit.clock import WARSAW, utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.dispatcher import configured_channels
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import set_incident
from prawko.kit.outbox.repository import DeliveryRepository

MESSAGES_WAITING = "messages_waiting"
MAX_DELAY = timedelta(hours=2)  # of a message, before it is an incident


async def check_waiting_messages(context: AppContext) -> None:
    """Open or close the incident of each configured medium.

    A message waits since it was enqueued or, if it is to leave later, since then.
    """
    now = utc_now()
    before = now - MAX_DELAY
    async with context.database.system() as session:
        for medium in configured_channels(context):
            waiting = DeliveryRepository(session)
            count, oldest = await waiting.count_waiting(medium, before)
            reason = await waiting.find_waiting_reason(medium, before) if count else ""
            await set_incident(
                session,
                kind=MESSAGES_WAITING,
                key=medium.value,
                is_active=count > 0,
                detail=_describe(count, oldest, reason),
                now=now,
            )


def _describe(count: int, oldest: datetime | None, reason: str) -> Detail:
    """Return how many messages wait, since when, and why most of them do."""
    since = "" if oldest is None else f"{oldest.astimezone(WARSAW):%Y-%m-%d %H:%M}"
    figures: dict[str, str | int] = {"count": count, "since": since}
    if not reason:
        return Detail("messages_waiting", figures)
    return Detail("messages_waiting_because", {**figures, "reason": reason})
