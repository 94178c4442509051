"""Incidents about messages: those that wait too long, and those that were lost."""

from datetime import datetime, timedelta

from prawko.hooks.channels import Medium
from prawko.kit.clock import WARSAW, utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.senders import configured_channels
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import set_incident
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.work.jobs import job

MESSAGES_WAITING = "messages_waiting"
MAX_DELAY = timedelta(hours=2)  # of a message, before it is an incident
MESSAGES_LOST = "messages_lost"
LOOKBACK = timedelta(hours=1)
MIN_LOST = 5  # fewer may be telephones that are switched off
MAX_LOSS_RATE = 0.2


@job(timeout=60)
async def watch_waiting_messages(context: AppContext) -> None:
    """Open or close the incident of each configured medium whose messages do not leave.

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


@job(timeout=60)
async def watch_loss_rate(context: AppContext) -> None:
    """Open or close the incident of each medium whose carriers accepted messages and lost them."""
    now = utc_now()
    async with context.database.system() as session:
        for medium in Medium:
            lost, reported = await DeliveryRepository(session).count_reports(medium, now - LOOKBACK)
            await set_incident(
                session,
                kind=MESSAGES_LOST,
                key=medium.value,
                is_active=lost >= MIN_LOST and lost > MAX_LOSS_RATE * reported,
                detail=Detail("messages_lost", {"lost": lost, "reported": reported}),
                now=now,
            )
