"""Plans a run: one row for the day, and an item for every driver who is due on it."""

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import TextClause, text

from prawko_tenants.engine import Database
from prawko_tenants.ids import new_id
from prawko_tenants.partitions import drop_days, ensure_day, ensure_month
from prawko_tenants.sessions import PlannerSession

KEEP_DAYS = 14

# The subscription written last decides, as everywhere; who is in the grace is checked, too.
_CHECKED = """
    SELECT s.tenant_id, s.driver_limit
      FROM (SELECT DISTINCT ON (tenant_id) tenant_id, status, driver_limit, checked_until
              FROM subscription ORDER BY tenant_id, id DESC) AS s
     WHERE s.status IN ('active', 'expired') AND s.checked_until > :now
"""
# The oldest drivers have the lowest ids.
_WITHIN_LIMIT = f"""
    SELECT d.tenant_id, d.id, d.document_no, d.status
      FROM (SELECT tenant_id, id, document_no, status,
                   row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS place
              FROM driver) AS d
      JOIN ({_CHECKED}) AS a ON a.tenant_id = d.tenant_id
     WHERE d.place <= a.driver_limit
"""  # noqa: S608 (made of constants)
_DRIVERS = "SELECT tenant_id, count(*) AS many FROM driver GROUP BY tenant_id"
_COUNT = text(f"""
    SELECT coalesce(sum(least(d.many, a.driver_limit)), 0)
      FROM ({_CHECKED}) AS a JOIN ({_DRIVERS}) AS d ON d.tenant_id = a.tenant_id
""")  # noqa: S608 (made of constants)
# Companies in which somebody may lack an item of the day: counted, not compared driver by driver,
# for this is asked every minute. An item whose driver was removed hides an older driver who came
# within the limit by that, until the next whole pass.
_LACKING = text(f"""
    SELECT a.tenant_id FROM ({_CHECKED}) AS a
      JOIN ({_DRIVERS}) AS d ON d.tenant_id = a.tenant_id
      LEFT JOIN (SELECT tenant_id, count(*) AS many FROM check_item
                  WHERE day = :day AND state <> 'gone' GROUP BY tenant_id) AS i
        ON i.tenant_id = a.tenant_id
     WHERE :everybody AND least(d.many, a.driver_limit) > coalesce(i.many, 0)
        OR a.tenant_id IN (
           SELECT n.tenant_id FROM driver n
            WHERE n.status = 'unknown'
              AND NOT EXISTS (SELECT FROM check_item t
                               WHERE t.day = :day AND t.tenant_id = n.tenant_id
                                 AND t.driver_id = n.id AND t.document_no = n.document_no))
""")  # noqa: S608 (made of constants)
_OPEN_RUN = text("""
    INSERT INTO check_run AS r (id, day, planned_at, started_at, state)
    VALUES (:id, :day, :now, CAST(:begun AS timestamptz), 'running')
    ON CONFLICT (day) DO UPDATE SET started_at = excluded.started_at
     WHERE r.started_at IS NULL AND excluded.started_at IS NOT NULL
""")
# A document changed since it was planned is asked about anew. A document that yesterday's run
# missed goes on being looked for: by the key of its item, driver by driver, and with no condition
# on its state. Joined, or with one, PostgreSQL expects few to be due still and goes through all
# of them for every driver; after a day without the register that is everybody times everybody.
_PLAN = f"""
    WITH planned AS (
        INSERT INTO check_item AS i (day, tenant_id, driver_id, document_no, next_try_at,
                                     not_found_since)
        SELECT :day, w.tenant_id, w.id, w.document_no, :now,
               (SELECT CASE WHEN y.state = 'due' THEN y.not_found_since END
                  FROM check_item y
                 WHERE y.day = :yesterday AND y.tenant_id = w.tenant_id AND y.driver_id = w.id
                   AND y.document_no = w.document_no)
          FROM ({_WITHIN_LIMIT}) AS w
         WHERE {{who}}
           AND NOT EXISTS (SELECT FROM check_item t
                            WHERE t.day = :day AND t.tenant_id = w.tenant_id
                              AND t.driver_id = w.id AND t.document_no = w.document_no)
            ON CONFLICT (day, tenant_id, driver_id) DO UPDATE
           SET document_no = excluded.document_no, state = 'due', attempts = 0,
               next_try_at = excluded.next_try_at, lease_until = NULL, fence = i.fence + 1,
               asked_at = NULL, error_kind = NULL, not_found_since = NULL, answer_id = NULL,
               outcome = NULL, done_at = NULL, turned = false
         WHERE i.document_no <> excluded.document_no
        RETURNING i.fence = 0 AS fresh
    )
    SELECT count(*) AS items, count(*) FILTER (WHERE fresh) AS fresh FROM planned
"""  # noqa: S608 (made of constants)
_PLAN_ALL = text(_PLAN.format(who="true"))
_PLAN_NEWCOMERS = text(_PLAN.format(who="w.tenant_id = ANY(:companies) AND w.status = 'unknown'"))
_PLAN_COMPANIES = text(_PLAN.format(who="w.tenant_id = ANY(:companies)"))
_COUNT_PLANNED = text("""
    UPDATE check_run SET planned = planned + :fresh, state = 'running', finished_at = NULL
     WHERE day = :day
""")


async def count_due(planner: PlannerSession, now: datetime) -> int:
    """How many drivers a run of this moment would ask about."""
    return int(await planner.scalar(_COUNT, {"now": now}) or 0)


async def plan(database: Database, day: date, yesterday: date, now: datetime) -> int:
    """Give every due driver without one an item of the day; returns how many were planned.

    Opens the day's run if it is not there, and begins it. Any number of processes may call it
    at once, any number of times: the keys make it once.
    """
    await _make_room(database, day, now)
    return await _plan(database, _PLAN_ALL, day, yesterday, now, begins=True)


async def plan_missing(
    database: Database, day: date, yesterday: date, now: datetime, *, newcomers_only: bool
) -> int:
    """The same where somebody seems to lack an item; to look costs a second for a million.

    Newcomers, whose document nobody has been asked about, do not wait for the hour of the
    others: with `newcomers_only` they alone are planned, and open the run without beginning it.
    """
    await _make_room(database, day, now)
    async with database.planner() as planner:
        where = {"day": day, "now": now, "everybody": not newcomers_only}
        companies = (await planner.execute(_LACKING, where)).scalars().all()
    if not companies:
        return 0
    statement = _PLAN_NEWCOMERS if newcomers_only else _PLAN_COMPANIES
    return await _plan(database, statement, day, yesterday, now, begins=False, companies=companies)


async def _plan(
    database: Database,
    statement: TextClause,
    day: date,
    yesterday: date,
    now: datetime,
    *,
    begins: bool,
    **which: Sequence[UUID],
) -> int:
    where = {"day": day, "yesterday": yesterday, "now": now, **which}
    async with database.planner() as planner:
        row = (await planner.execute(statement, where)).one()
        if row.items or begins:
            opened = {"id": new_id(), "day": day, "now": now, "begun": now if begins else None}
            await planner.execute(_OPEN_RUN, opened)
        if row.items:
            await planner.execute(_COUNT_PLANNED, {"day": day, "fresh": row.fresh})
    return int(row.items)


async def _make_room(database: Database, day: date, now: datetime) -> None:
    async with database.planner() as planner:
        await ensure_day(planner, day)
    async with database.planner() as planner:
        await ensure_month(planner, now.date())


async def forget_old_days(database: Database, before: date) -> int:
    """Drop the items of days that are over and done with."""
    async with database.planner() as planner:
        return await drop_days(planner, before)
