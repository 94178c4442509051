"""Takes due items of a run for a while, and gives back what was not asked."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from sqlalchemy import Row, text

from prawko.base.clock import machine_now
from prawko.hooks.licence_register import LicenceQuery
from prawko.verifications.attempts import LONGEST_WAIT
from prawko.verifications.questions import Question
from prawko_tenants.engine import Database

LEASE = timedelta(minutes=2)

# An item is due by the product's clock, and leased by the machine's. What seems to wait longer
# than anything may has seen the clock set back.
DUE = """
    i.day = :day AND i.state = 'due'
    AND (i.next_try_at <= :now OR i.next_try_at > :longest_wait)
    AND (i.lease_until IS NULL OR i.lease_until <= :machine_now)
"""
_LEASE = text(f"""
    WITH due AS (
        SELECT i.tenant_id, i.driver_id FROM check_item i WHERE {DUE}
         ORDER BY i.next_try_at, i.tenant_id LIMIT :most FOR UPDATE SKIP LOCKED)
    UPDATE check_item i SET lease_until = :lease_until, fence = i.fence + 1
      FROM due
     WHERE i.day = :day AND i.tenant_id = due.tenant_id AND i.driver_id = due.driver_id
    RETURNING i.tenant_id, i.driver_id, i.document_no, i.fence, i.attempts, i.lease_until
""")  # noqa: S608 (made of constants)
_ANY_DUE = text(f"SELECT EXISTS (SELECT FROM check_item i WHERE {DUE})")  # noqa: S608
_LEASED = text("""
    SELECT EXISTS (SELECT FROM check_item WHERE day = :day AND state = 'due'
                     AND lease_until > :machine_now)
""")
_DRIVERS = text("""
    SELECT id, document_no, first_name, last_name, license_number
      FROM driver WHERE tenant_id = :tenant_id AND id = ANY(:ids)
""")
# The document is not the one that was planned, or the driver has gone.
_MISFITS = text("""
    UPDATE check_item i
       SET lease_until = NULL, state = m.state,
           document_no = CASE WHEN m.state = 'due' THEN m.document_no ELSE i.document_no END,
           not_found_since = NULL, error_kind = NULL, attempts = 0
      FROM jsonb_to_recordset(CAST(:misfits AS jsonb))
           AS m(tenant_id uuid, driver_id uuid, fence bigint, state text, document_no int)
     WHERE i.day = :day AND i.tenant_id = m.tenant_id AND i.driver_id = m.driver_id
       AND i.fence = m.fence
""")
_GIVE_BACK = text("""
    UPDATE check_item i SET lease_until = NULL
      FROM jsonb_to_recordset(CAST(:items AS jsonb))
           AS q(tenant_id uuid, driver_id uuid, fence bigint)
     WHERE i.day = :day AND i.tenant_id = q.tenant_id AND i.driver_id = q.driver_id
       AND i.fence = q.fence AND i.state = 'due'
""")


def moment(day: date, now: datetime) -> dict[str, Any]:
    """The parameters of DUE: `now` is the product's."""
    return {
        "day": day,
        "now": now,
        "longest_wait": now + LONGEST_WAIT,
        "machine_now": machine_now(),
    }


async def anything_due(database: Database, day: date, now: datetime) -> bool:
    """Whether an item could be asked about this moment."""
    async with database.system() as session:
        return bool(await session.scalar(_ANY_DUE, moment(day, now)))


async def anything_leased(database: Database, day: date) -> bool:
    """Whether somebody is asking about an item this moment."""
    async with database.system() as session:
        return bool(await session.scalar(_LEASED, {"day": day, "machine_now": machine_now()}))


async def lease(
    database: Database, day: date, now: datetime, most: int, *, lasting: timedelta = LEASE
) -> list[Question]:
    """Take up to `most` due items; nobody else has them before the lease ends.

    An item whose driver was edited since is put right and asked about in a later lease.
    """
    taken_at = machine_now()
    async with database.batch() as session:
        rows = (
            await session.execute(
                _LEASE, {**moment(day, now), "most": most, "lease_until": taken_at + lasting}
            )
        ).all()
        questions: list[Question] = []
        misfits: list[dict[str, Any]] = []
        for tenant_id, company in _by_company(rows):
            await session.bind(tenant_id)
            ids = [row.driver_id for row in company]
            found = await session.execute(_DRIVERS, {"tenant_id": tenant_id, "ids": ids})
            drivers = {driver.id: driver for driver in found}
            for row in company:
                driver = drivers.get(row.driver_id)
                if driver is not None and driver.document_no == row.document_no:
                    questions.append(_question(day, row, driver))
                else:
                    misfits.append(_misfit(row, driver))
        if misfits:
            listed = msgspec.json.encode(misfits).decode()
            await session.execute(_MISFITS, {"day": day, "misfits": listed})
    return questions


async def give_back(database: Database, questions: Sequence[Question]) -> None:
    """Let others ask what was not asked; it counts as no attempt."""
    if not questions:
        return
    items = [
        {"tenant_id": q.tenant_id, "driver_id": q.driver_id, "fence": q.fence} for q in questions
    ]
    async with database.system() as session:
        await session.execute(
            _GIVE_BACK,
            {"day": questions[0].run_day, "items": msgspec.json.encode(items).decode()},
        )


def _by_company(rows: Iterable[Row[Any]]) -> list[tuple[Any, list[Row[Any]]]]:
    by_company = attrgetter("tenant_id")
    return [(key, list(group)) for key, group in groupby(sorted(rows, key=by_company), by_company)]


def _question(day: date, row: Row[Any], driver: Row[Any]) -> Question:
    return Question(
        run_day=day,
        tenant_id=row.tenant_id,
        driver_id=row.driver_id,
        document_no=row.document_no,
        fence=row.fence,
        attempts=row.attempts,
        lease_until=row.lease_until,
        query=LicenceQuery(driver.first_name, driver.last_name, driver.license_number),
    )


def _misfit(row: Row[Any], driver: Row[Any] | None) -> dict[str, Any]:
    return {
        "tenant_id": row.tenant_id,
        "driver_id": row.driver_id,
        "fence": row.fence,
        "state": "gone" if driver is None else "due",
        "document_no": None if driver is None else driver.document_no,
    }
