"""The row of the day's run: whether it is started, open or superseded, its counts and its end."""

from datetime import date, datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, Row, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.verifications.models import CheckItem, CheckRun
from prawko_tenants.ids import new_id
from prawko_tenants.sessions import PlannerSession

log = logs.get_logger(__name__)

OVERDUE_AFTER = timedelta(minutes=10)
_LOGGED_COUNTS = ("planned", "done", "valid", "invalid", "attention", "not_found", "quarantined")
_IS_STARTED = CheckRun.started_at.is_not(None)


class RunProgress(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of a day's run.

    `unresolved` items are due: `unanswered` ones had a failed query, `overdue` ones have waited
    for their first query longer than OVERDUE_AFTER; the others were just planned or are
    rechecked.
    """

    planned: int = 0
    done: int = 0
    valid: int = 0
    invalid: int = 0
    attention: int = 0
    not_found: int = 0
    quarantined: int = 0
    unresolved: int = 0
    unanswered: int = 0
    overdue: int = 0
    finished_at: datetime | None = None


async def is_started(context: AppContext, day: date) -> bool:
    """Whether the day's run was started, that is planned for all drivers."""
    return await _has_run(context, CheckRun.day == day, _IS_STARTED)


async def list_open_days(context: AppContext) -> list[date]:
    """Days with an unfinished run, oldest first; none after today."""
    today = warsaw_date(context.clock.now())
    is_unfinished = (CheckRun.state != "finished", CheckRun.day <= today)
    async with context.database.system() as session:
        days = await session.scalars(
            select(CheckRun.day).where(*is_unfinished).order_by(CheckRun.day)
        )
        return list(days)


async def is_superseded(context: AppContext, day: date) -> bool:
    """Whether a later day's run was started, which then checks this one's drivers.

    A run that was only opened for first checks (not started) does not supersede another one.
    """
    today = warsaw_date(context.clock.now())
    return await _has_run(context, CheckRun.day > day, CheckRun.day <= today, _IS_STARTED)


async def _has_run(context: AppContext, *conditions: ColumnElement[bool]) -> bool:
    async with context.database.system() as session:
        return bool(await session.scalar(select(exists().where(*conditions))))


async def load_progress(context: AppContext, day: date) -> RunProgress:
    """Progress of the day's run; all zero if there is none."""
    is_due = (CheckItem.day == CheckRun.day) & (CheckItem.state == "due")
    has_failed = CheckItem.error_kind.is_not(None)
    is_overdue = CheckItem.next_try_at <= context.clock.now() - OVERDUE_AFTER
    statement = (
        select(
            CheckRun,
            func.count(CheckItem.driver_id),
            func.count().filter(has_failed),
            func.count().filter(~has_failed, CheckItem.attempts == 0, is_overdue),
        )
        .outerjoin(CheckItem, is_due)
        .where(CheckRun.day == day)
        .group_by(CheckRun.id)
    )
    async with context.database.system() as session:
        row = (await session.execute(statement)).one_or_none()
    if row is None:
        return RunProgress()
    run, unresolved, unanswered, overdue = row
    return msgspec.structs.replace(
        msgspec.convert(run, RunProgress, from_attributes=True),
        unresolved=unresolved,
        unanswered=unanswered,
        overdue=overdue,
    )


async def open_run(planner: PlannerSession, now: datetime, *, marks_started: bool) -> None:
    """Insert today's run if it is missing; `marks_started` starts one that is not started."""
    statement = insert(CheckRun).values(
        id=new_id(),
        day=warsaw_date(now),
        planned_at=now,
        started_at=now if marks_started else None,
        state="running",
    )
    started_at = await planner.scalar(
        statement.on_conflict_do_update(
            index_elements=[CheckRun.day],
            set_={"started_at": statement.excluded.started_at},
            where=CheckRun.started_at.is_(None) & statement.excluded.started_at.is_not(None),
        ).returning(CheckRun.started_at)
    )
    if started_at is not None:
        log.info("run_started", day=warsaw_date(now))


async def add_planned(planner: PlannerSession, day: date, new_items: int) -> None:
    """Count new items; the run is not finished any more."""
    await planner.execute(
        update(CheckRun)
        .where(CheckRun.day == day)
        .values(planned=CheckRun.planned + new_items, state="running", finished_at=None)
    )


async def find_later_run(context: AppContext, day: date) -> Row[date, str | None] | None:
    """Return day and review state of the latest run, if changes of `day` are quarantined.

    None if no run was started after that of `day`, or it has no such changes.
    """
    later_run = (
        select(CheckRun.day, CheckRun.review_state)
        .where(
            CheckRun.day > day,
            CheckRun.day <= warsaw_date(context.clock.now()),
            _IS_STARTED,
            exists().where(CheckItem.day == day, CheckItem.state == "quarantined"),
        )
        .order_by(CheckRun.day.desc())
        .limit(1)
    )
    async with context.database.system() as session:
        return (await session.execute(later_run)).one_or_none()


async def finish_run(context: AppContext, day: date) -> None:
    """Finish the day's run if none of its items is due, or a later run checks its drivers."""
    now, later = context.clock.now(), aliased(CheckRun)
    is_due = exists().where(CheckItem.day == day, CheckItem.state == "due")
    is_superseded = exists().where(
        later.day > day, later.day <= warsaw_date(now), later.started_at.is_not(None)
    )
    async with context.database.system() as session:
        finished = await session.scalar(
            update(CheckRun)
            .where(CheckRun.day == day, CheckRun.state != "finished", ~is_due | is_superseded)
            .values(state="finished", finished_at=now)
            .returning(CheckRun)
        )
    if finished is not None:
        counts = msgspec.to_builtins(msgspec.convert(finished, RunProgress, from_attributes=True))
        log.info("run_finished", day=day, **{name: counts[name] for name in _LOGGED_COUNTS})
