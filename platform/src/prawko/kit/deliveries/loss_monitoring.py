"""Monitors the share of accepted messages that were not delivered.

A carrier may accept every message and drop it later, because a quota is used up or a sender is
blocked. Only the rate of losses shows that.
"""

from datetime import timedelta

from prawko.hooks.channels import Medium
from prawko.kit.clock import utc_now
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import set_incident
from prawko.kit.outbox.repository import DeliveryRepository
from prawko_tenants.engine import Database

MESSAGES_LOST = "messages_lost"
LOOKBACK = timedelta(hours=1)
MIN_LOST = 5  # fewer may be telephones that are switched off
MAX_LOSS_RATE = 0.2


async def check_loss_rate(database: Database) -> None:
    """Open or close the incident of each medium."""
    now = utc_now()
    async with database.system() as session:
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
