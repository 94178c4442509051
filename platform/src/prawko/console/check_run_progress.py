"""Runs of the daily check with what workers do: errors, rate, expected end, pause and stall."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta

import msgspec
from sqlalchemy import Interval, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.console.check_run_forecast import (
    STALLED_AFTER,
    RunActivity,
    expected_end,
    is_stalled,
    rate_per_minute,
)
from prawko.console.resource import AnyRow
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.http.schemas import ResponseModel
from prawko.kit.providers.availability import unavailable_until
from prawko.verifications.daily.planning import RETENTION_DAYS
from prawko.verifications.daily.schedule import CheckSchedule
from prawko.verifications.models import CheckItem, CheckPause, RegisterLimiter
from prawko.verifications.register.rate_limit_policy import LimiterState
from prawko.verifications.register.rate_limiter import RUN
from prawko_tenants.sessions import OperatorSession

# Leased items are the first of the queue: workers claim in this order.
_QUEUE_FRONT = 5000


class ErrorCountOut(ResponseModel):
    """How many unresolved drivers had this error last."""

    kind: str
    count: int


class CheckRunOut(ResponseModel):
    """One day's run; `id` is its day, for which a path may have `today`. A list has 90 days.

    `unresolved` drivers have no result of that day yet.
    """

    id: date
    day: date
    state: str
    started_at: datetime | None
    finished_at: datetime | None
    planned: int
    done: int
    valid: int
    invalid: int
    attention: int
    not_found: int
    unresolved: int
    quarantined: int
    review_state: str | None
    errors: list[ErrorCountOut]
    rate_per_minute: float | None
    expected_end_at: datetime | None
    paused: bool
    paused_since: datetime | None
    leased: int
    active_workers: int
    last_progress_at: datetime | None
    stalled: bool


class ItemCount(msgspec.Struct, frozen=True):
    """The unresolved items of a day with one error; without one they were not queried yet."""

    day: date
    error_kind: str | None
    count: int


class PauseTimes(msgspec.Struct, frozen=True):
    """Since when the check is paused, if it is, and when the last pause ended."""

    paused_since: datetime | None
    ended_at: datetime | None


async def describe_runs(
    context: AppContext, session: OperatorSession, rows: Sequence[AnyRow]
) -> list[CheckRunOut]:
    """Add errors, rate and forecast to runs: at most four statements, however many."""
    now = context.clock.now()
    today = warsaw_date(now)
    kept_since = today - timedelta(days=RETENTION_DAYS)
    counts = await _count_unresolved(session, [run.day for run in rows if run.day >= kept_since])
    pause = await _load_pause(session)
    activity = RunActivity()
    if any(run.day == today for run in rows):
        activity = await load_activity(session, today, now, context.settings.register_names)
    return [
        _describe_run(
            context,
            run,
            [count for count in counts if count.day == run.day],
            pause,
            activity if run.day == today else RunActivity(),
            now,
            has_items=run.day >= kept_since,
        )
        for run in rows
    ]


async def load_activity(
    session: AsyncSession, day: date, now: datetime, registers: Sequence[str]
) -> RunActivity:
    """Return what workers do; `now` is the product clock's. Two statements.

    A batch is leased at once, so equal leases are of one worker. `registers` are the names of
    the accesses in use; the run is blocked when all of them are.
    """
    system_now = utc_now()
    front = (
        select(CheckItem.next_try_at, CheckItem.lease_until)
        .where(CheckItem.day == day, CheckItem.state == "due")
        .order_by(CheckItem.next_try_at, CheckItem.tenant_id)
        .limit(_QUEUE_FRONT)
        .cte("front")
    )
    newest_lease = select(func.max(front.c.lease_until)).scalar_subquery()
    counts = select(
        func.count().filter(front.c.next_try_at <= now),
        func.count().filter(front.c.lease_until > system_now),
        func.count(front.c.lease_until.distinct()).filter(
            front.c.lease_until > newest_lease - literal(STALLED_AFTER, Interval)
        ),
    ).select_from(front)
    due, leased, recent_batches = (await session.execute(counts)).one()
    limiters = (
        await session.scalars(
            select(RegisterLimiter).where(
                RegisterLimiter.lane == RUN, RegisterLimiter.register.in_(registers)
            )
        )
    ).all()
    if not limiters:
        return RunActivity(due=due, leased=leased)
    states = msgspec.convert(limiters, list[LimiterState], from_attributes=True)
    last_progress_at = max(limiter.updated_at for limiter in limiters)
    is_recent = system_now - last_progress_at <= STALLED_AFTER
    return RunActivity(
        due=due,
        leased=leased,
        recent_batches=recent_batches if is_recent else 0,
        last_progress_at=last_progress_at,
        is_blocked=len(limiters) == len(registers)
        and all(unavailable_until(state, system_now) is not None for state in states),
    )


async def _count_unresolved(session: AsyncSession, days: Collection[date]) -> list[ItemCount]:
    """Return the unresolved items of these days by their last error."""
    statement = (
        select(CheckItem.day, CheckItem.error_kind, func.count())
        .where(CheckItem.day.in_(days), CheckItem.state == "due")
        .group_by(CheckItem.day, CheckItem.error_kind)
    )
    return [ItemCount(*row) for row in await session.execute(statement)]


async def _load_pause(session: AsyncSession) -> PauseTimes:
    """Return the present pause and the end of the last one."""
    is_open = CheckPause.ended_at.is_(None)
    statement = select(
        func.max(CheckPause.started_at).filter(is_open), func.max(CheckPause.ended_at)
    )
    return PauseTimes(*(await session.execute(statement)).one())


def _describe_run(
    context: AppContext,
    run: AnyRow,
    counts: Sequence[ItemCount],
    pause: PauseTimes,
    activity: RunActivity,
    now: datetime,
    *,
    has_items: bool,
) -> CheckRunOut:
    is_today = run.day == warsaw_date(now)
    is_paused = is_today and pause.paused_since is not None
    unresolved = sum(count.count for count in counts)
    if not has_items:
        unresolved = max(0, run.planned - run.done - run.quarantined)
    rate = rate_per_minute(run.done, run.started_at, run.finished_at, now)
    allowed = CheckSchedule.from_settings(context.settings).drivers_per_second
    stalled = is_stalled(
        activity,
        is_paused=is_paused,
        resumed_at=_system_time(context, run.started_at or run.planned_at, pause.ended_at),
        system_now=utc_now(),
    )
    is_going_on = is_today and run.finished_at is None and not (is_paused or stalled)
    return CheckRunOut(
        id=run.day,
        day=run.day,
        state=run.state,
        started_at=run.started_at,
        finished_at=run.finished_at,
        planned=run.planned,
        done=run.done,
        valid=run.valid,
        invalid=run.invalid,
        attention=run.attention,
        not_found=run.not_found,
        unresolved=unresolved,
        quarantined=run.quarantined if run.review_state in {None, "pending"} else 0,
        review_state=run.review_state,
        errors=[
            ErrorCountOut(kind=count.error_kind, count=count.count)
            for count in sorted(counts, key=lambda count: -count.count)
            if count.error_kind is not None
        ],
        rate_per_minute=rate,
        expected_end_at=(expected_end(unresolved, rate, allowed, now) if is_going_on else None),
        paused=is_paused,
        paused_since=pause.paused_since if is_paused else None,
        leased=activity.leased,
        active_workers=0 if stalled else activity.recent_batches,
        last_progress_at=activity.last_progress_at,
        stalled=stalled,
    )


def _system_time(context: AppContext, *times: datetime | None) -> datetime:
    """Return the latest of some product times, by the system clock."""
    latest = max(time for time in times if time is not None)
    return latest - context.clock.offset()
