"""Tells the operators when what carriers took does not arrive. SQL of that one theme.

A carrier may take every message and throw them away after: an allowance is used up, a sender
is blocked. No single reader sees that; the shares do.
"""

from datetime import timedelta

from sqlalchemy import text

from prawko.base.clock import machine_now
from prawko.deliveries.incidents import keep_incident
from prawko.hooks.channels import Medium
from prawko_tenants.engine import Database

MESSAGES_LOST = "messages_lost"
LOOKED_BACK = timedelta(hours=1)
LEAST = 5  # below that it is somebody's telephone that is off
SHARE = 0.2

_LOST = text("""
    SELECT count(*) FILTER (WHERE report = 'failed') AS lost, count(*) AS reported
      FROM delivery WHERE channel_medium = :medium AND reported_at > :since
""")


async def watch_for_losses(database: Database) -> bool:
    """Open or close an incident for each medium; True when one was opened."""
    now = machine_now()
    opened = False
    async with database.system() as session:
        for medium in Medium:
            about = {"medium": medium.value, "since": now - LOOKED_BACK}
            lost, reported = (await session.execute(_LOST, about)).one()
            opened |= await keep_incident(
                session,
                kind=MESSAGES_LOST,
                key=medium.value,
                wrong=lost >= LEAST and lost > SHARE * reported,
                detail=f"{lost} of {reported} messages reported on in an hour did not arrive",
                now=now,
            )
    return opened
