"""Plans a run: one row for the day and one check item for every driver due on it.

SQL text: each statement counts or writes the items of all companies at once.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import TextClause, text

from prawko.kit.clock import utc_now, warsaw_date
from prawko.verifications.daily.run_repository import add_planned, open_run
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId
from prawko_tenants.partitions import drop_days, ensure_day, ensure_month
from prawko_tenants.sessions import PlannerSession

RETENTION_DAYS = 14

_MONITORED_COMPANIES = """
    SELECT tenant_id, driver_limit FROM monitored_company WHERE monitored_until > :now
"""
_DRIVERS_WITHIN_LIMIT = f"""
    SELECT d.tenant_id, d.id, d.document_version, d.status
      FROM ranked_driver AS d
      JOIN ({_MONITORED_COMPANIES}) AS a ON a.tenant_id = d.tenant_id
     WHERE d.rank <= a.driver_limit
"""  # noqa: S608 (made of constants)
_DRIVER_COUNTS = "SELECT tenant_id, count(*) AS driver_count FROM driver GROUP BY tenant_id"
_COUNT_DUE = text(f"""
    SELECT coalesce(sum(least(d.driver_count, a.driver_limit)), 0)
      FROM ({_MONITORED_COMPANIES}) AS a JOIN ({_DRIVER_COUNTS}) AS d ON d.tenant_id = a.tenant_id
""")  # noqa: S608 (made of constants)
# Companies in which a driver may have no item of the day. Compares counts, not drivers, because it
# runs every minute. The item of a removed driver hides another driver who came within the limit by
# the removal, until the next full pass.
_INCOMPLETE = text(f"""
    SELECT a.tenant_id FROM ({_MONITORED_COMPANIES}) AS a
      JOIN ({_DRIVER_COUNTS}) AS d ON d.tenant_id = a.tenant_id
      LEFT JOIN (SELECT tenant_id, count(*) AS item_count FROM check_item
                  WHERE day = :day AND state <> 'cancelled' GROUP BY tenant_id) AS i
        ON i.tenant_id = a.tenant_id
     WHERE :all_drivers AND least(d.driver_count, a.driver_limit) > coalesce(i.item_count, 0)
        OR a.tenant_id IN (
           SELECT n.tenant_id FROM driver n
            WHERE n.status = 'unknown'
              AND NOT EXISTS (SELECT FROM check_item t
                               WHERE t.day = :day AND t.tenant_id = n.tenant_id
                                 AND t.driver_id = n.id
                                 AND t.document_version = n.document_version))
""")  # noqa: S608 (made of constants)
# An item whose document has changed since is reset. `not_found_since` of an item that is still due
# from yesterday is carried over, by a scalar subquery on the primary key without a condition on the
# state: with a join or such a condition PostgreSQL expects few due items and scans all of them for
# each driver, which is quadratic after a day without the register.
_UPSERT_ITEMS = f"""
    WITH planned AS (
        INSERT INTO check_item AS i (day, tenant_id, driver_id, document_version, next_try_at,
                                     not_found_since)
        SELECT :day, w.tenant_id, w.id, w.document_version, :now,
               (SELECT CASE WHEN y.state = 'due' THEN y.not_found_since END
                  FROM check_item y
                 WHERE y.day = :yesterday AND y.tenant_id = w.tenant_id AND y.driver_id = w.id
                   AND y.document_version = w.document_version)
          FROM ({_DRIVERS_WITHIN_LIMIT}) AS w
         WHERE {{filter}}
           AND NOT EXISTS (SELECT FROM check_item t
                            WHERE t.day = :day AND t.tenant_id = w.tenant_id
                              AND t.driver_id = w.id
                              AND t.document_version = w.document_version)
            ON CONFLICT (day, tenant_id, driver_id) DO UPDATE
           SET document_version = excluded.document_version, state = 'due', attempts = 0,
               next_try_at = excluded.next_try_at, lease_until = NULL, fence = i.fence + 1,
               asked_at_system = NULL, error_kind = NULL, not_found_since = NULL, answer_id = NULL,
               outcome = NULL, done_at = NULL, counted_change = false
         WHERE i.document_version <> excluded.document_version
        RETURNING i.fence = 0 AS is_new
    )
    SELECT count(*) AS items, count(*) FILTER (WHERE is_new) AS new_items FROM planned
"""  # noqa: S608 (made of constants)
_UPSERT_ALL = text(_UPSERT_ITEMS.format(filter="true"))
_UPSERT_FIRST_CHECKS = text(
    _UPSERT_ITEMS.format(filter="w.tenant_id = ANY(:companies) AND w.status = 'unknown'")
)
_UPSERT_COMPANIES = text(_UPSERT_ITEMS.format(filter="w.tenant_id = ANY(:companies)"))


async def count_due_drivers(planner: PlannerSession, now: datetime) -> int:
    """Number of drivers that a run planned now would check."""
    return int(await planner.scalar(_COUNT_DUE, {"now": now}) or 0)


async def plan_run(database: Database, now: datetime) -> int:
    """Create the missing items of all due drivers and start today's run; returns their number.

    May be called concurrently and repeatedly: primary keys make it idempotent.
    """
    await _ensure_partitions(database, now)
    return await _upsert_items(database, _UPSERT_ALL, now, marks_started=True)


async def plan_missing_items(database: Database, now: datetime, *, first_checks_only: bool) -> int:
    """Create missing items in companies that seem to lack some; returns their number.

    Cheap enough for every minute (a second for a million drivers). With `first_checks_only`, before
    the start of the check, only first checks are planned; the run is opened but not started.
    """
    await _ensure_partitions(database, now)
    async with database.planner() as planner:
        params = {"day": warsaw_date(now), "now": now, "all_drivers": not first_checks_only}
        companies = (await planner.execute(_INCOMPLETE, params)).scalars().all()
    if not companies:
        return 0
    statement = _UPSERT_FIRST_CHECKS if first_checks_only else _UPSERT_COMPANIES
    return await _upsert_items(database, statement, now, marks_started=False, companies=companies)


async def plan_first_checks(database: Database, now: datetime, tenant_id: TenantId) -> int:
    """Create the items of a company's first checks; returns their number.

    As before the start of the check: the run is opened, and not started.
    """
    await _ensure_partitions(database, now)
    return await _upsert_items(
        database, _UPSERT_FIRST_CHECKS, now, marks_started=False, companies=[tenant_id]
    )


async def _upsert_items(
    database: Database,
    statement: TextClause,
    now: datetime,
    *,
    marks_started: bool,
    **filters: Sequence[UUID],
) -> int:
    day = warsaw_date(now)
    params = {"day": day, "yesterday": day - timedelta(days=1), "now": now, **filters}
    async with database.planner() as planner:
        row = (await planner.execute(statement, params)).one()
        if row.items or marks_started:
            await open_run(planner, now, marks_started=marks_started)
        if row.items:
            await add_planned(planner, day, row.new_items)
    return int(row.items)


async def _ensure_partitions(database: Database, now: datetime) -> None:
    async with database.planner() as planner:
        await ensure_day(planner, warsaw_date(now))
    async with database.planner() as planner:
        await ensure_month(planner, now.date())


async def drop_old_items(database: Database, now: datetime) -> int:
    """Drop the partitions of days more than RETENTION_DAYS ago, by both clocks; returns how many.

    The database refuses to drop days that are not past by its own clock.
    """
    today = warsaw_date(min(now, utc_now()))
    async with database.planner() as planner:
        return await drop_days(planner, today - timedelta(days=RETENTION_DAYS))
