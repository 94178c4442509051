"""Writes thirty days of daily checks.

On the days on which a result changes, the product's own check runs against the simulator. For the
days between, the last results are repeated: one row each, with a reference to the stored answer.
"""

import random  # noqa: TID251  # a generator of its own
from collections import Counter
from datetime import datetime, time, timedelta

from sqlalchemy import insert, select
from sqlalchemy.dialects.postgresql import insert as upsert

from prawko.accounts.authentication import Identity
from prawko.apps.composition_root import create_renderer_registry
from prawko.drivers.models import Outcome
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.notifications.repository import NotificationRepository
from prawko.verifications.daily.run_now import run_daily_check
from prawko.verifications.models import CheckRun, Verification
from prawko_demo.register.document_store import DocumentStore
from prawko_demo.seed.company import (
    EXPIRED_DAYS_AGO,
    WITHHELD_DRIVER,
    build_drivers,
    withheld_document,
)
from prawko_demo.seed.history_clock import HistoryClock
from prawko_tenants.ids import TenantId
from prawko_tenants.partitions import ensure_month

HISTORY_DAYS = 30
CHECK_TIME = time(6, 10)
CHECK_DURATION_SECONDS = 9 * 60  # of a day's check at the ministry's rate limit

_LATEST_RESULTS = (
    select(Verification.driver_id, Verification.answer_id, Verification.outcome)
    .distinct(Verification.driver_id)
    .order_by(Verification.driver_id, Verification.verified_at.desc())
)


async def write_check_history(
    panel: AppContext,
    worker: AppContext,
    document_store: DocumentStore,
    owner: Identity,
    clock: HistoryClock,
) -> None:
    """Write the checks up to yesterday's; `document_store` has the documents afterwards."""
    tenant_id = owner.tenant_id
    for driver in build_drivers(clock.today):
        document_store.put(driver.serial, driver.to_document())
    await _run_check(worker, clock, HISTORY_DAYS)
    await _repeat_results(worker, tenant_id, clock, range(HISTORY_DAYS - 1, EXPIRED_DAYS_AGO, -1))
    await _run_check(worker, clock, EXPIRED_DAYS_AGO)
    async with panel.database.tenant(tenant_id) as session:
        await NotificationRepository(session=session).mark_all_read(owner.user_id)
    await _repeat_results(worker, tenant_id, clock, range(EXPIRED_DAYS_AGO - 1, 1, -1))
    document_store.put(WITHHELD_DRIVER.serial, withheld_document(WITHHELD_DRIVER))
    await _run_check(worker, clock, 1)


async def run_todays_check(worker: AppContext, clock: HistoryClock) -> None:
    """Run today's check, if its hour has passed."""
    if clock.move_to(0, CHECK_TIME) < utc_now():
        await run_daily_check(worker, create_renderer_registry(worker))


async def _run_check(worker: AppContext, clock: HistoryClock, days_ago: int) -> None:
    clock.move_to(days_ago, CHECK_TIME)
    await run_daily_check(worker, create_renderer_registry(worker))


async def _repeat_results(
    worker: AppContext, tenant_id: TenantId, clock: HistoryClock, days_ago: range
) -> None:
    """Write the checks of days without a change."""
    random_delay = random.Random(0)  # noqa: S311 (the same in every demo)
    mornings = [clock.move_to(days, CHECK_TIME) for days in days_ago]
    for month in {morning.date().replace(day=1) for morning in mornings}:
        async with worker.database.system() as session:
            await ensure_month(session, month)
    async with worker.database.tenant(tenant_id) as session:
        results = [dict(row) for row in (await session.execute(_LATEST_RESULTS)).mappings()]
        checks = [
            {
                **result,
                "tenant_id": tenant_id,
                "verified_at": morning
                + timedelta(seconds=random_delay.uniform(5, CHECK_DURATION_SECONDS)),
            }
            for morning in mornings
            for result in results
        ]
        await session.execute(insert(Verification), checks)
    outcomes = Counter(result["outcome"] for result in results)
    async with worker.database.planner() as planner:
        await planner.execute(
            upsert(CheckRun).on_conflict_do_nothing(index_elements=[CheckRun.day]),
            [_run_row(morning, outcomes) for morning in mornings],
        )


def _run_row(morning: datetime, outcomes: Counter[str]) -> dict[str, object]:
    return {
        "day": warsaw_date(morning),
        "planned_at": morning,
        "started_at": morning,
        "finished_at": morning + timedelta(seconds=CHECK_DURATION_SECONDS),
        "planned": outcomes.total(),
        "done": outcomes.total(),
        **{outcome.value: outcomes[outcome] for outcome in Outcome},
        "state": "finished",
    }
