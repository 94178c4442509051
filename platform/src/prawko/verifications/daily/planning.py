"""Plans a run: one row for the day and one check item for every driver due on it."""

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import TextClause, text

from prawko_tenants.engine import Database
from prawko_tenants.ids import new_id
from prawko_tenants.partitions import drop_days, ensure_day, ensure_month
from prawko_tenants.sessions import PlannerSession

RETENTION_DAYS = 14

_MONITORED_COMPANIES = """
    SELECT tenant_id, driver_limit FROM monitored_company WHERE monitored_until > :now
"""
# The oldest drivers have the lowest ids.
_DRIVERS_WITHIN_LIMIT = f"""
    SELECT d.tenant_id, d.id, d.document_version, d.status
      FROM (SELECT tenant_id, id, document_version, status,
                   row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS rank
              FROM driver) AS d
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
_UPSERT_RUN = text("""
    INSERT INTO check_run AS r (id, day, planned_at, started_at, state)
    VALUES (:id, :day, :now, CAST(:started_at AS timestamptz), 'running')
    ON CONFLICT (day) DO UPDATE SET started_at = excluded.started_at
     WHERE r.started_at IS NULL AND excluded.started_at IS NOT NULL
""")
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
_UPSERT_NEW_DRIVERS = text(
    _UPSERT_ITEMS.format(filter="w.tenant_id = ANY(:companies) AND w.status = 'unknown'")
)
_UPSERT_COMPANIES = text(_UPSERT_ITEMS.format(filter="w.tenant_id = ANY(:companies)"))
_ADD_PLANNED = text("""
    UPDATE check_run SET planned = planned + :new_items, state = 'running', finished_at = NULL
     WHERE day = :day
""")


async def count_due_drivers(planner: PlannerSession, now: datetime) -> int:
    """Number of drivers that a run planned now would check."""
    return int(await planner.scalar(_COUNT_DUE, {"now": now}) or 0)


async def plan_run(database: Database, day: date, yesterday: date, now: datetime) -> int:
    """Create the missing items of all due drivers and start the day's run; returns their number.

    May be called concurrently and repeatedly: primary keys make it idempotent.
    """
    await _ensure_partitions(database, day, now)
    return await _upsert_items(database, _UPSERT_ALL, day, yesterday, now, marks_started=True)


async def plan_missing_items(
    database: Database, day: date, yesterday: date, now: datetime, *, new_drivers_only: bool
) -> int:
    """Create missing items in companies that seem to lack some; returns their number.

    Cheap enough for every minute (a second for a million drivers). With `new_drivers_only`, before
    the start of the check, only drivers without any outcome are planned; the run is opened but not
    started.
    """
    await _ensure_partitions(database, day, now)
    async with database.planner() as planner:
        params = {"day": day, "now": now, "all_drivers": not new_drivers_only}
        companies = (await planner.execute(_INCOMPLETE, params)).scalars().all()
    if not companies:
        return 0
    statement = _UPSERT_NEW_DRIVERS if new_drivers_only else _UPSERT_COMPANIES
    return await _upsert_items(
        database, statement, day, yesterday, now, marks_started=False, companies=companies
    )


async def _upsert_items(
    database: Database,
    statement: TextClause,
    day: date,
    yesterday: date,
    now: datetime,
    *,
    marks_started: bool,
    **filters: Sequence[UUID],
) -> int:
    params = {"day": day, "yesterday": yesterday, "now": now, **filters}
    async with database.planner() as planner:
        row = (await planner.execute(statement, params)).one()
        if row.items or marks_started:
            started_at = now if marks_started else None
            run = {"id": new_id(), "day": day, "now": now, "started_at": started_at}
            await planner.execute(_UPSERT_RUN, run)
        if row.items:
            await planner.execute(_ADD_PLANNED, {"day": day, "new_items": row.new_items})
    return int(row.items)


async def _ensure_partitions(database: Database, day: date, now: datetime) -> None:
    async with database.planner() as planner:
        await ensure_day(planner, day)
    async with database.planner() as planner:
        await ensure_month(planner, now.date())


async def drop_old_partitions(database: Database, before: date) -> int:
    """Drop the item partitions of days before `before`; returns how many."""
    async with database.planner() as planner:
        return await drop_days(planner, before)
