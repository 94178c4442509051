"""Thirty days of the daily check.

The days on which something happened are checked for real, by the product, against the
simulator. The days between repeat what was found last, as a check would have: a narrow row
each, pointing at the answer that is there already.
"""

import random
from collections import Counter
from datetime import datetime, time, timedelta

from sqlalchemy import text

from prawko.base.clock import machine_now, warsaw_day
from prawko.base.jobs import Tools
from prawko.notifications.repository import NotificationRepository
from prawko.verifications.daily import run_daily_check
from prawko.verifications.models import OUTCOMES
from prawko.worker.wiring import correspondence
from prawko_demo.data.company import EXPIRED_SINCE, STOPPED, everybody, withheld
from prawko_demo.data.past import PastClock
from prawko_demo.register.documents import Shelf
from prawko_tenants.ids import TenantId, UserId, new_id
from prawko_tenants.partitions import ensure_month

DAYS = 30
STARTS = time(6, 10)
CHECK_SECONDS = 9 * 60  # how long the check of a day takes at the ministry's pace

_FOUND = text("""
    SELECT DISTINCT ON (driver_id) driver_id, answer_id, outcome
      FROM verification ORDER BY driver_id, verified_at DESC
""")
_REPEAT = text("""
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    VALUES (:tenant_id, :driver_id, :id, :verified_at, :answer_id, :outcome)
""")
_RUN = text("""
    INSERT INTO check_run (id, day, planned_at, started_at, finished_at, planned, done, valid,
                           invalid, attention, not_found, state)
    VALUES (:id, :day, :started, :started, :finished, :done, :done, :valid, :invalid, :attention,
            :not_found, 'finished')
    ON CONFLICT (day) DO NOTHING
""")


async def write_days(
    panel: Tools,
    worker: Tools,
    shelf: Shelf,
    tenant_id: TenantId,
    user_id: UserId,
    clock: PastClock,
) -> None:
    """Check day by day up to yesterday; the register knows the documents in the end."""
    for person in everybody(clock.today):
        shelf.put(person.serial, person.document())
    await _check(worker, clock, DAYS)
    await _repeat(worker, tenant_id, clock, range(DAYS - 1, EXPIRED_SINCE, -1))
    await _check(worker, clock, EXPIRED_SINCE)
    async with panel.database.tenant(tenant_id) as session:
        await NotificationRepository(session).mark_all_read(user_id)
    await _repeat(worker, tenant_id, clock, range(EXPIRED_SINCE - 1, 1, -1))
    shelf.put(STOPPED.serial, withheld(STOPPED))
    await _check(worker, clock, 1)


async def check_this_morning(worker: Tools, clock: PastClock) -> None:
    """The check that a product which had been running would have done."""
    if clock.go(0, STARTS) < machine_now():
        await run_daily_check(worker, correspondence(worker))


async def _check(worker: Tools, clock: PastClock, days_ago: int) -> None:
    clock.go(days_ago, STARTS)
    await run_daily_check(worker, correspondence(worker))


async def _repeat(worker: Tools, tenant_id: TenantId, clock: PastClock, days_ago: range) -> None:
    """Write the checks of quiet days."""
    minutes = random.Random(0)  # noqa: S311 (of a made-up morning, the same one in every demo)
    mornings = [clock.go(days, STARTS) for days in days_ago]
    for month in {morning.date().replace(day=1) for morning in mornings}:
        async with worker.database.system() as session:
            await ensure_month(session, month)
    async with worker.database.tenant(tenant_id) as session:
        found = [dict(row) for row in (await session.execute(_FOUND)).mappings()]
        checks = [
            {
                **last,
                "tenant_id": tenant_id,
                "id": new_id(),
                "verified_at": morning + timedelta(seconds=minutes.uniform(5, CHECK_SECONDS)),
            }
            for morning in mornings
            for last in found
        ]
        await session.execute(_REPEAT, checks)
    outcomes = Counter(last["outcome"] for last in found)
    async with worker.database.system() as session:
        await session.execute(_RUN, [_run(morning, outcomes) for morning in mornings])


def _run(morning: datetime, outcomes: Counter[str]) -> dict[str, object]:
    return {
        "id": new_id(),
        "day": warsaw_day(morning),
        "started": morning,
        "finished": morning + timedelta(seconds=CHECK_SECONDS),
        "done": outcomes.total(),
        **{outcome: outcomes[outcome] for outcome in OUTCOMES},
    }
