"""The pause of the daily check: workers stop at their next batch, and go on when it ends.

It is a row, so that it survives restarts. Runs are still planned, and manual checks continue. A
pause of more than a day is an incident (`prawko.verifications.alerts.monitoring`).
"""

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.verifications.models import CheckPause
from prawko_tenants.ids import new_id

_IS_OPEN = CheckPause.ended_at.is_(None)


async def pause_checks(session: AsyncSession, now: datetime) -> bool:
    """Pause the daily check; False if it is paused already."""
    statement = insert(CheckPause).values(id=new_id(), started_at=now)
    paused = await session.scalar(statement.on_conflict_do_nothing().returning(CheckPause.id))
    return paused is not None


async def resume_checks(session: AsyncSession, now: datetime) -> bool:
    """End the pause; False if there is none. The caller enqueues `reconcile_runs`."""
    ended = await session.scalar(
        update(CheckPause).where(_IS_OPEN).values(ended_at=now).returning(CheckPause.id)
    )
    return ended is not None


async def paused_since(session: AsyncSession) -> datetime | None:
    """Return since when the daily check is paused; None if it is not."""
    return await session.scalar(select(CheckPause.started_at).where(_IS_OPEN))
