"""Leases of check items, and the state of the day's run."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from sqlalchemy import Row, text

from prawko.base.clock import utc_now, warsaw_date
from prawko.base.context import AppContext
from prawko.drivers.models import Outcome
from prawko.hooks.licence_register import LicenceQuery
from prawko.verifications.register.client import CheckTask
from prawko.verifications.register.retry import MAX_DELAY
from prawko_tenants.engine import Database
from prawko_tenants.sessions import BatchSession

LEASE_DURATION = timedelta(minutes=2)
OVERDUE_AFTER = timedelta(minutes=10)

# `next_try_at` is the product clock's, `lease_until` the system clock's. A delay longer than the
# maximum means that the product clock was set back: the item is due.
DUE_CONDITION = """
    i.day = :day AND i.state = 'due'
    AND (i.next_try_at <= :now OR i.next_try_at > :max_next_try_at)
    AND (i.lease_until IS NULL OR i.lease_until <= :system_now)
"""
_LEASE_ITEMS = text(f"""
    WITH due AS (
        SELECT i.tenant_id, i.driver_id FROM check_item i WHERE {DUE_CONDITION}
         ORDER BY i.next_try_at, i.tenant_id LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE check_item i SET lease_until = :lease_until, fence = i.fence + 1
      FROM due
     WHERE i.day = :day AND i.tenant_id = due.tenant_id AND i.driver_id = due.driver_id
    RETURNING i.tenant_id, i.driver_id, i.document_version, i.fence, i.attempts, i.lease_until
""")  # noqa: S608 (made of constants)
_ANY_DUE = text(f"SELECT EXISTS (SELECT FROM check_item i WHERE {DUE_CONDITION})")  # noqa: S608
_ANY_LEASED = text("""
    SELECT EXISTS (SELECT FROM check_item WHERE day = :day AND state = 'due'
                     AND lease_until > :system_now)
""")
_DRIVERS = text("""
    SELECT id, document_version, first_name, last_name, license_number
      FROM driver WHERE tenant_id = :tenant_id AND id = ANY(:ids)
""")
# The document has changed since it was planned, or the driver was deleted.
_RESET_STALE = text("""
    UPDATE check_item i
       SET lease_until = NULL, state = s.state,
           document_version = CASE WHEN s.state = 'due' THEN s.document_version
                                   ELSE i.document_version END,
           not_found_since = NULL, error_kind = NULL, attempts = 0
      FROM jsonb_to_recordset(CAST(:items AS jsonb))
           AS s(tenant_id uuid, driver_id uuid, fence bigint, state text, document_version int)
     WHERE i.day = :day AND i.tenant_id = s.tenant_id AND i.driver_id = s.driver_id
       AND i.fence = s.fence
""")
_RELEASE_ITEMS = text("""
    UPDATE check_item i SET lease_until = NULL
      FROM jsonb_to_recordset(CAST(:items AS jsonb))
           AS t(tenant_id uuid, driver_id uuid, fence bigint)
     WHERE i.day = :day AND i.tenant_id = t.tenant_id AND i.driver_id = t.driver_id
       AND i.fence = t.fence AND i.state = 'due'
""")
_IS_STARTED = text(
    "SELECT EXISTS (SELECT FROM check_run WHERE day = :day AND started_at IS NOT NULL)"
)
_IS_OPEN = text("SELECT EXISTS (SELECT FROM check_run WHERE day = :day AND state <> 'finished')")
_FINISH_RUN = text("""
    UPDATE check_run r SET state = 'finished', finished_at = :now
     WHERE r.day = :day AND r.state <> 'finished'
       AND (NOT EXISTS (SELECT FROM check_item i WHERE i.day = :day AND i.state = 'due')
            OR EXISTS (SELECT FROM check_run o
                        WHERE o.day > :day AND o.day <= :today AND o.started_at IS NOT NULL))
""")
# A run that was only opened for new drivers (not started) does not supersede.
_IS_SUPERSEDED = text("""
    SELECT EXISTS (SELECT FROM check_run
                    WHERE day > :day AND day <= :today AND started_at IS NOT NULL)
""")
_PROGRESS = text("""
    SELECT r.planned, r.done, r.valid, r.invalid, r.attention, r.not_found, r.quarantined,
           r.finished_at,
           (SELECT count(*) FROM check_item i
             WHERE i.day = r.day AND i.state = 'due') AS unresolved,
           (SELECT count(*) FROM check_item i WHERE i.day = r.day AND i.state = 'due'
               AND i.error_kind IS NOT NULL) AS unanswered,
           (SELECT count(*) FROM check_item i WHERE i.day = r.day AND i.state = 'due'
               AND i.attempts = 0 AND i.error_kind IS NULL
               AND i.next_try_at <= :overdue_before) AS overdue
      FROM check_run r WHERE r.day = :day
""")
_ADD_COUNTS = text("""
    UPDATE check_run
       SET done = done + :done, valid = valid + :valid, invalid = invalid + :invalid,
           attention = attention + :attention, not_found = not_found + :not_found
     WHERE day = :day
""")


def due_params(day: date, now: datetime) -> dict[str, Any]:
    """Parameters of DUE_CONDITION; `now` is the product clock's."""
    return {
        "day": day,
        "now": now,
        "max_next_try_at": now + MAX_DELAY,
        "system_now": utc_now(),
    }


async def has_due_items(database: Database, day: date, now: datetime) -> bool:
    """Whether an item of the day can be leased now."""
    async with database.system() as session:
        return bool(await session.scalar(_ANY_DUE, due_params(day, now)))


async def has_leased_items(database: Database, day: date) -> bool:
    """Whether an item of the day is leased now."""
    async with database.system() as session:
        return bool(await session.scalar(_ANY_LEASED, {"day": day, "system_now": utc_now()}))


async def lease_items(
    database: Database,
    day: date,
    now: datetime,
    limit: int,
    *,
    duration: timedelta = LEASE_DURATION,
) -> list[CheckTask]:
    """Lease up to `limit` due items exclusively for `duration`.

    An item whose driver was edited since is updated and leased later; one whose driver was
    deleted is cancelled.
    """
    leased_at = utc_now()
    async with database.batch() as session:
        rows = (
            await session.execute(
                _LEASE_ITEMS,
                {**due_params(day, now), "limit": limit, "lease_until": leased_at + duration},
            )
        ).all()
        tasks: list[CheckTask] = []
        stale_items: list[dict[str, Any]] = []
        for tenant_id, company in _group_by_company(rows):
            await session.switch_tenant(tenant_id)
            ids = [row.driver_id for row in company]
            result = await session.execute(_DRIVERS, {"tenant_id": tenant_id, "ids": ids})
            drivers = {driver.id: driver for driver in result}
            for row in company:
                driver = drivers.get(row.driver_id)
                if driver is not None and driver.document_version == row.document_version:
                    tasks.append(_to_check_task(day, row, driver))
                else:
                    stale_items.append(_stale_item(row, driver))
        if stale_items:
            items = msgspec.json.encode(stale_items).decode()
            await session.execute(_RESET_STALE, {"day": day, "items": items})
    return tasks


async def release_items(database: Database, tasks: Sequence[CheckTask]) -> None:
    """Release leases of tasks that were not sent; they count as no attempt."""
    if not tasks:
        return
    items = [{"tenant_id": t.tenant_id, "driver_id": t.driver_id, "fence": t.fence} for t in tasks]
    async with database.system() as session:
        await session.execute(
            _RELEASE_ITEMS,
            {"day": tasks[0].run_day, "items": msgspec.json.encode(items).decode()},
        )


def _group_by_company(rows: Iterable[Row[Any]]) -> list[tuple[Any, list[Row[Any]]]]:
    by_company = attrgetter("tenant_id")
    return [(key, list(group)) for key, group in groupby(sorted(rows, key=by_company), by_company)]


def _to_check_task(day: date, row: Row[Any], driver: Row[Any]) -> CheckTask:
    return CheckTask(
        run_day=day,
        tenant_id=row.tenant_id,
        driver_id=row.driver_id,
        document_version=row.document_version,
        fence=row.fence,
        attempts=row.attempts,
        lease_until=row.lease_until,
        query=LicenceQuery(driver.first_name, driver.last_name, driver.license_number),
    )


def _stale_item(row: Row[Any], driver: Row[Any] | None) -> dict[str, Any]:
    return {
        "tenant_id": row.tenant_id,
        "driver_id": row.driver_id,
        "fence": row.fence,
        "state": "cancelled" if driver is None else "due",
        "document_version": None if driver is None else driver.document_version,
    }


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
    async with context.database.system() as session:
        return bool(await session.scalar(_IS_STARTED, {"day": day}))


async def is_open(context: AppContext, day: date) -> bool:
    """Whether the day has an unfinished run."""
    async with context.database.system() as session:
        return bool(await session.scalar(_IS_OPEN, {"day": day}))


async def finish_run(context: AppContext, day: date) -> None:
    """Mark the run as finished if no item is due or a later run has superseded it."""
    now = context.clock.now()
    async with context.database.system() as session:
        await session.execute(_FINISH_RUN, {"day": day, "now": now, "today": warsaw_date(now)})


async def is_superseded(context: AppContext, day: date) -> bool:
    """Whether a later day's run was started, which then checks this one's drivers."""
    params = {"day": day, "today": warsaw_date(context.clock.now())}
    async with context.database.system() as session:
        return bool(await session.scalar(_IS_SUPERSEDED, params))


async def load_progress(context: AppContext, day: date) -> RunProgress:
    """Progress of the day's run; all zero if there is none."""
    async with context.database.system() as session:
        params = {"day": day, "overdue_before": context.clock.now() - OVERDUE_AFTER}
        row = (await session.execute(_PROGRESS, params)).mappings().one_or_none()
    return msgspec.convert(dict(row), RunProgress) if row else RunProgress()


async def add_to_run_counts(session: BatchSession, day: date, outcomes: Counter[Outcome]) -> None:
    """Add closed items to the run's counts; last in a transaction, for all workers lock the row."""
    if outcomes:
        counts = {outcome.value: outcomes[outcome] for outcome in Outcome}
        await session.execute(_ADD_COUNTS, {"day": day, "done": outcomes.total(), **counts})
