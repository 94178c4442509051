"""What operators ask of the daily check: a pause, and a retry of unanswered items.

Workers stop at their next batch and go on when the pause ends. It is a row, so that it survives
restarts. Runs are still planned, and manual checks continue. A pause of more than a day is an
incident (`prawko.verifications.monitoring`).
"""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.verifications.models import CheckItem, CheckPause, CheckRun
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


async def request_retry(session: AsyncSession, day: date, now: datetime) -> None:
    """Have a worker retry the day's unanswered items; it enqueues `retry_unanswered_items`."""
    await session.execute(
        update(CheckRun).where(CheckRun.day == day).values(retry_requested_at=now)
    )


async def retry_unanswered(context: AppContext) -> Sequence[date]:
    """Make the items of the requested days due, and return the days.

    A document that was missing once keeps its time, and is queried again later.
    """
    now = context.clock.now()
    async with context.database.system() as session:
        requested = select(CheckRun.day).where(CheckRun.retry_requested_at.is_not(None))
        days = (await session.scalars(requested.with_for_update(skip_locked=True))).all()
        if not days:
            return days
        await session.execute(
            update(CheckItem)
            .where(
                CheckItem.day.in_(days),
                CheckItem.state == "due",
                CheckItem.error_kind.is_not(None),
                CheckItem.not_found_since.is_(None),
                CheckItem.next_try_at > now,
                or_(CheckItem.lease_until.is_(None), CheckItem.lease_until <= utc_now()),
            )
            .values(next_try_at=now)
            .execution_options(synchronize_session=False)
        )
        await session.execute(
            update(CheckRun).where(CheckRun.day.in_(days)).values(retry_requested_at=None)
        )
    return days
