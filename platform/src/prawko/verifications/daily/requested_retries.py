"""Retries that an operator requested: unanswered items of a run become due at once."""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.verifications.models import CheckItem, CheckRun


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
