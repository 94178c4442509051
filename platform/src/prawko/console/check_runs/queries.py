"""Reads runs, their errors and what workers do, with a session of the operators."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Interval, exists, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from prawko.console.check_runs.forecast import STALLED_AFTER, RunActivity
from prawko.console.list_page import AnyRow, AnySelect, ListPage, fetch_page
from prawko.console.list_query import FilterDays, ListDialect, ListQuery, SortOrder
from prawko.drivers.models import Outcome
from prawko.kit.clock import utc_now
from prawko.kit.providers.availability import blocked_until
from prawko.verifications.models import CheckItem, CheckPause, CheckRun, RegisterLimiter
from prawko.verifications.register.rate_limit_policy import LimiterState
from prawko.verifications.register.rate_limiter import RUN
from prawko_tenants.models import Tenant

HISTORY = timedelta(days=90)
# Leased items are the first of the queue: workers claim in this order.
_QUEUE_FRONT = 5000
_COLUMNS: dict[str, Any] = {"day": CheckRun.day, "id": CheckRun.day}

DIALECT = ListDialect(
    sortable=frozenset(_COLUMNS),
    filters={"id": FilterDays},
    default_sort=SortOrder("day", is_descending=True),
)


class ItemCount(msgspec.Struct, frozen=True):
    """The unresolved items of a day with one error; without one they were not queried yet."""

    day: date
    error_kind: str | None
    count: int


class PauseTimes(msgspec.Struct, frozen=True):
    """Since when the check is paused, if it is, and when the last pause ended."""

    paused_since: datetime | None
    ended_at: datetime | None


class CheckRunQueries:
    """One statement for each method, two for the list and for `load_activity`."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_runs(self, query: ListQuery, today: date) -> ListPage:
        """Return a page of the runs of the last 90 days."""
        statement: AnySelect = select(CheckRun).where(CheckRun.day > today - HISTORY)
        page = await fetch_page(self._session, statement, query, _COLUMNS, CheckRun.day)
        return ListPage([row.CheckRun for row in page.rows], page.total)

    async def get_run(self, day: date) -> CheckRun | None:
        """Return the day's run."""
        return await self._session.scalar(select(CheckRun).where(CheckRun.day == day))

    async def is_superseded(self, day: date, today: date) -> bool | None:
        """Whether a later run has started, which checks the day's drivers; None without a run."""
        later = aliased(CheckRun)
        is_superseded = exists().where(
            later.day > day, later.day <= today, later.started_at.is_not(None)
        )
        return await self._session.scalar(select(is_superseded).where(CheckRun.day == day))

    async def count_unresolved(self, days: Collection[date]) -> list[ItemCount]:
        """Return the unresolved items of these days by their last error."""
        statement = (
            select(CheckItem.day, CheckItem.error_kind, func.count())
            .where(CheckItem.day.in_(days), CheckItem.state == "due")
            .group_by(CheckItem.day, CheckItem.error_kind)
        )
        return [ItemCount(*row) for row in await self._session.execute(statement)]

    async def load_pause(self) -> PauseTimes:
        """Return the present pause and the end of the last one."""
        is_open = CheckPause.ended_at.is_(None)
        statement = select(
            func.max(CheckPause.started_at).filter(is_open), func.max(CheckPause.ended_at)
        )
        return PauseTimes(*(await self._session.execute(statement)).one())

    async def load_activity(
        self, day: date, now: datetime, registers: Sequence[str]
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
        due, leased, recent_batches = (await self._session.execute(counts)).one()
        limiters = (
            await self._session.scalars(
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
            and all(blocked_until(state, system_now) is not None for state in states),
        )

    async def list_changes(self, day: date) -> Sequence[AnyRow]:
        """Return the numbers of quarantined changes of each company, the most first."""
        total = func.count().label("total")
        statement = (
            select(
                CheckItem.tenant_id.label("id"),
                CheckItem.tenant_id.label("company_id"),
                func.coalesce(Tenant.company_name, "").label("company_name"),
                func.count().filter(CheckItem.outcome == Outcome.NOT_FOUND).label("not_found"),
                func.count().filter(CheckItem.outcome != Outcome.NOT_FOUND).label("attention"),
                total,
            )
            .outerjoin(Tenant, Tenant.id == CheckItem.tenant_id)
            .where(CheckItem.day == day, CheckItem.state == "quarantined")
            .group_by(CheckItem.tenant_id, Tenant.company_name)
            .order_by(total.desc(), CheckItem.tenant_id)
        )
        return (await self._session.execute(statement)).all()
