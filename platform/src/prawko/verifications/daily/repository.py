"""Leases of check items, as SQL text: they lock, skip and write sets of items."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import groupby, starmap
from operator import attrgetter
from typing import Any, NamedTuple

from prawko.hooks.licence_register import LicenceQuery
from prawko.kit.clock import MAX_CLOCK_SKEW, utc_now, warsaw_date
from prawko.verifications.decision import MAX_DELAY, REJECTED_DELAY
from prawko.verifications.register.check_tasks import CheckTask
from prawko.verifications.results_writer import encode_rows
from prawko_tenants.engine import Database
from prawko_tenants.ids import DriverId, TenantId
from prawko_tenants.sessions import HotStatement

# A lease that ends later was set by a wrong clock: no register's deadline needs as much.
MAX_LEASE_DURATION = timedelta(minutes=10)

# `next_try_at` is the product clock's, `lease_until` the system clock's. A delay longer than the
# maximum means that the product clock was set back: the item is due. None is due
# while the check is paused, or once a later day's run was started, which checks its driver.
_IS_TIME = """
    i.day = :day AND i.state = 'due'
    AND (i.next_try_at <= :now OR i.next_try_at > :max_next_try_at)
"""
_IS_PAUSED = "EXISTS (SELECT FROM check_pause WHERE ended_at IS NULL)"
DUE_CONDITION = f"""
    {_IS_TIME}
    AND (i.lease_until IS NULL OR i.lease_until <= :system_now OR i.lease_until > :max_lease_until)
    AND NOT {_IS_PAUSED}
    AND NOT EXISTS (SELECT FROM check_run
                     WHERE day > :day AND day <= :today AND started_at IS NOT NULL)
"""
# Not claimed, or released. The lease of any other due item has lapsed: its process ended, or could
# not record the result.
_IS_FREE = "i.lease_until IS NULL"
# The first checks of one company, whose drivers the session sees.
_IS_FIRST_CHECK = """
    i.lease_until IS NULL AND i.tenant_id = :tenant_id
    AND i.driver_id IN (SELECT id FROM driver WHERE tenant_id = :tenant_id AND status = 'unknown')
"""
# Counts no attempt, which only a result does: attempts lengthen the delay of the next try, and a
# stopped or killed worker says nothing about the register. A lapsed item is put aside in advance:
# only a result or a release that follows this claim changes it.
_CLAIM = f"""
    WITH due AS (
        SELECT i.tenant_id, i.driver_id FROM check_item i WHERE {DUE_CONDITION} AND {{filter}}
         ORDER BY i.next_try_at, i.tenant_id LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE check_item i
       SET lease_until = :lease_until, fence = i.fence + 1,
           error_kind = CASE WHEN {_IS_FREE} THEN i.error_kind ELSE 'worker_ended' END,
           next_try_at = CASE WHEN {_IS_FREE} THEN i.next_try_at ELSE :put_aside_until END
      FROM due
     WHERE i.day = :day AND i.tenant_id = due.tenant_id AND i.driver_id = due.driver_id
    RETURNING i.tenant_id, i.driver_id, i.document_version, i.fence, i.attempts, i.lease_until
"""  # noqa: S608 (made of constants)
_CLAIM_FREE = HotStatement(_CLAIM.format(filter=_IS_FREE))
_CLAIM_FIRST_CHECKS = HotStatement(_CLAIM.format(filter=_IS_FIRST_CHECK))
_CLAIM_LAPSED = HotStatement(_CLAIM.format(filter="i.lease_until IS NOT NULL"))
_COUNT_FIRST_CHECKS = HotStatement(f"""
    SELECT count(*) FROM check_item i WHERE {DUE_CONDITION} AND {_IS_FIRST_CHECK}
""")  # noqa: S608 (made of constants)
_ANY_DUE = HotStatement(f"SELECT EXISTS (SELECT FROM check_item i WHERE {DUE_CONDITION})")  # noqa: S608
_ANY_FREE = HotStatement(
    f"SELECT EXISTS (SELECT FROM check_item i WHERE {DUE_CONDITION} AND {_IS_FREE})"  # noqa: S608
)
_ANY_PAUSED = HotStatement(  # also of a day that a later run supersedes
    f"SELECT {_IS_PAUSED} AND EXISTS (SELECT FROM check_item i WHERE {_IS_TIME})"  # noqa: S608
)
_ANY_LEASED = HotStatement("""
    SELECT EXISTS (SELECT FROM check_item WHERE day = :day AND state = 'due'
                     AND lease_until > :system_now AND lease_until <= :max_lease_until)
""")
_DRIVERS = HotStatement("""
    SELECT id, document_version, first_name, last_name, license_number,
           verified_at IS NOT NULL AS is_known
      FROM driver WHERE tenant_id = :tenant_id AND id = ANY(:ids)
""")
# The document has changed since it was planned, or the driver was deleted.
_RESET_STALE = HotStatement("""
    UPDATE check_item i
       SET lease_until = NULL, state = s.state,
           document_version = CASE WHEN s.state = 'due' THEN s.document_version
                                   ELSE i.document_version END,
           not_found_since = NULL, error_kind = NULL, attempts = 0,
           next_try_at = least(i.next_try_at, :now)
      FROM jsonb_to_recordset(CAST(:items AS jsonb))
           AS s(tenant_id uuid, driver_id uuid, fence bigint, state text, document_version int)
     WHERE i.day = :day AND i.tenant_id = s.tenant_id AND i.driver_id = s.driver_id
       AND i.fence = s.fence
""")
_RENEW_LEASES = HotStatement("""
    UPDATE check_item i SET lease_until = :lease_until
      FROM jsonb_to_recordset(CAST(:items AS jsonb))
           AS t(tenant_id uuid, driver_id uuid, fence bigint)
     WHERE i.day = :day AND i.tenant_id = t.tenant_id AND i.driver_id = t.driver_id
       AND i.fence = t.fence AND i.state = 'due' AND i.lease_until IS NOT NULL
""")
# An item that was claimed as lapsed stays lapsed: it is claimed alone again.
_RELEASE_ITEMS = HotStatement("""
    UPDATE check_item i
       SET lease_until = CASE i.error_kind WHEN 'worker_ended'
                              THEN CAST(:system_now AS timestamptz) END,
           error_kind = nullif(i.error_kind, 'worker_ended'),
           next_try_at = least(i.next_try_at, :now)
      FROM jsonb_to_recordset(CAST(:items AS jsonb))
           AS t(tenant_id uuid, driver_id uuid, fence bigint)
     WHERE i.day = :day AND i.tenant_id = t.tenant_id AND i.driver_id = t.driver_id
       AND i.fence = t.fence AND i.state = 'due'
""")


class _ClaimedItem(NamedTuple):
    """What a claim returns; the columns of a row take ten times as long to read."""

    tenant_id: TenantId
    driver_id: DriverId
    document_version: int
    fence: int
    attempts: int
    lease_until: datetime


class _DriverRow(NamedTuple):
    """What `_DRIVERS` returns."""

    id: DriverId
    document_version: int
    first_name: str
    last_name: str
    license_number: str
    is_known: bool


def due_params(day: date, now: datetime) -> dict[str, Any]:
    """Parameters of DUE_CONDITION; `now` is the product clock's."""
    return {
        "day": day,
        "today": warsaw_date(now),
        "now": now,
        "max_next_try_at": now + MAX_DELAY,
        **lease_params(),
    }


def lease_params() -> dict[str, datetime]:
    """Return the parameters that distinguish leases in force from ended ones."""
    system_now = utc_now()
    return {
        "system_now": system_now,
        "max_lease_until": system_now + MAX_LEASE_DURATION + MAX_CLOCK_SKEW,
    }


async def has_due_items(
    database: Database, day: date, now: datetime, *, only_free: bool = False
) -> bool:
    """Whether an item of the day can be leased now; `only_free`: one that no worker left leased."""
    return await database.exists(_ANY_FREE if only_free else _ANY_DUE, due_params(day, now))


async def list_due_days(database: Database, now: datetime) -> list[date]:
    """Return today and yesterday, each if an item of it can be leased now.

    Open items of yesterday are due until today's run supersedes them.
    """
    today = warsaw_date(now)
    days = (today, today - timedelta(days=1))
    return [day for day in days if await has_due_items(database, day, now)]


async def has_leased_items(database: Database, day: date) -> bool:
    """Whether an item of the day is leased now."""
    return await database.exists(_ANY_LEASED, {"day": day, **lease_params()})


async def has_paused_items(database: Database, day: date, now: datetime) -> bool:
    """Whether a pause of the check prevents the query of an item of the day."""
    params = {"day": day, "now": now, "max_next_try_at": now + MAX_DELAY}
    return await database.exists(_ANY_PAUSED, params)


async def count_first_checks(
    database: Database, day: date, now: datetime, tenant_id: TenantId
) -> int:
    """Number of the company's first checks that can be leased now."""
    async with database.batch() as session:
        await session.switch_tenant(tenant_id)
        params = {**due_params(day, now), "tenant_id": tenant_id}
        [[count]] = await session.fetch(_COUNT_FIRST_CHECKS, params)
    return int(count)


async def claim_items(
    database: Database,
    day: date,
    now: datetime,
    limit: int,
    *,
    duration: timedelta,
    first_checks_of: TenantId | None = None,
    is_idle: bool = True,
) -> list[CheckTask]:
    """Claim up to `limit` due items for `duration`; with a company, only its first checks.

    An item whose lease has lapsed may end this process as well: it is claimed alone, if the process
    queries nothing else (`is_idle`) and no other item is due. Until its result is recorded it is
    unanswered, and put aside like a refused document.

    An item whose driver was edited since is updated and claimed later; one whose driver was
    deleted is cancelled.
    """
    leased_at, by_company = utc_now(), attrgetter("tenant_id")
    params = {
        **due_params(day, now), "limit": limit, "lease_until": leased_at + duration,
        "put_aside_until": now + REJECTED_DELAY,
    }  # fmt: skip
    async with database.batch() as session:
        statement = _CLAIM_FREE
        if first_checks_of is not None:
            await session.switch_tenant(first_checks_of)
            statement, params["tenant_id"] = _CLAIM_FIRST_CHECKS, first_checks_of
        rows = await session.fetch(statement, params)
        if not rows and is_idle and first_checks_of is None:
            rows = await session.fetch(_CLAIM_LAPSED, params | {"limit": 1})
        items = sorted(starmap(_ClaimedItem, rows), key=by_company)
        tasks: list[CheckTask] = []
        stale_items: list[dict[str, Any]] = []
        for tenant_id, group in groupby(items, by_company):
            await session.switch_tenant(tenant_id)
            company = list(group)
            ids = [item.driver_id for item in company]
            result = await session.fetch(_DRIVERS, {"tenant_id": tenant_id, "ids": ids})
            drivers = {driver.id: driver for driver in starmap(_DriverRow, result)}
            for item in company:
                driver = drivers.get(item.driver_id)
                if driver is not None and driver.document_version == item.document_version:
                    tasks.append(_to_check_task(item, driver))
                else:
                    stale_items.append(_stale_item(item, driver))
        if stale_items:
            await session.fetch(
                _RESET_STALE, {"day": day, "now": now, "items": encode_rows(stale_items)}
            )
    return tasks


async def renew_leases(
    database: Database, day: date, tasks: Sequence[CheckTask], lease_until: datetime
) -> None:
    """Extend the leases of those tasks that are not recorded, and not lost."""
    async with database.system() as session:
        params = {"day": day, "items": _to_items(tasks), "lease_until": lease_until}
        await session.fetch(_RENEW_LEASES, params)


async def release_items(
    database: Database, day: date, now: datetime, tasks: Sequence[CheckTask]
) -> None:
    """Release leases of tasks that were not sent; they count as no attempt, and are due again."""
    if not tasks:
        return
    async with database.system() as session:
        params = {"day": day, "now": now, "system_now": utc_now(), "items": _to_items(tasks)}
        await session.fetch(_RELEASE_ITEMS, params)


def _to_items(tasks: Sequence[CheckTask]) -> str:
    return encode_rows(
        [{"tenant_id": t.tenant_id, "driver_id": t.driver_id, "fence": t.fence} for t in tasks]
    )


def _to_check_task(item: _ClaimedItem, driver: _DriverRow) -> CheckTask:
    return CheckTask(
        tenant_id=item.tenant_id,
        driver_id=item.driver_id,
        document_version=item.document_version,
        fence=item.fence,
        attempts=item.attempts,
        lease_until=item.lease_until,
        query=LicenceQuery(driver.first_name, driver.last_name, driver.license_number),
        is_known=driver.is_known,
    )


def _stale_item(item: _ClaimedItem, driver: _DriverRow | None) -> dict[str, Any]:
    return {
        "tenant_id": item.tenant_id,
        "driver_id": item.driver_id,
        "fence": item.fence,
        "state": "cancelled" if driver is None else "due",
        "document_version": None if driver is None else driver.document_version,
    }
