"""Jobs of the daily check and of first checks. Each is idempotent and may run on any worker.

`apps.worker.schedule` runs `reconcile_runs` every minute, which plans a run when it is due.
"""

from datetime import date, datetime, timedelta

from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.work.jobs import job
from prawko.verifications.daily.operator_requests import retry_unanswered
from prawko.verifications.daily.planning import (
    count_due_drivers,
    drop_old_items,
    plan_first_checks,
    plan_missing_items,
    plan_run,
)
from prawko.verifications.daily.repository import has_due_items, list_due_days
from prawko.verifications.daily.run_end import finish_if_idle
from prawko.verifications.daily.run_repository import is_started, is_superseded, list_open_days
from prawko.verifications.daily.schedule import CheckSchedule
from prawko.verifications.daily.worker import (
    MAX_FIRST_CHECK_TIME,
    MAX_RUN_TIME,
    MAX_WORKERS,
    CheckWorker,
    FirstCheckSlots,
    FirstCheckWorker,
    WorkerSlots,
)
from prawko.verifications.mass_change_review import apply_decisions
from prawko_tenants.ids import TenantId

log = logs.get_logger(__name__)


@job(timeout=180)
async def run_check_worker(context: AppContext, *, day: date) -> None:
    """Check due drivers for MAX_RUN_TIME, then enqueue the next job or finish the run.

    The number of workers in a process is limited, so that other jobs of the queue run as well.
    """
    slots = context.components.get(WorkerSlots)
    if await is_superseded(context, day) or slots.locked():
        return
    async with slots:
        deadline = utc_now() + MAX_RUN_TIME
        worker = CheckWorker(context, day)
        # Without a scheduler the caller waits for this job, so it does not wait for the register.
        has_scheduler = context.settings.scheduler_enabled
        await worker.run(lambda: utc_now() > deadline, wait_when_blocked=has_scheduler)
    if context.must_stop():
        return
    if await has_due_items(context.database, day, context.clock.now()):
        if has_scheduler or await worker.can_query():
            await context.queue.enqueue(run_check_worker, day=day)
    else:
        await finish_if_idle(context, day)


@job(timeout=60)
async def check_new_documents(context: AppContext, *, tenant_id: TenantId) -> None:
    """Plan the company's first checks and make them at once, sooner than the reconciler would.

    A worker of the run makes those that this job leaves: all of them while other companies have the
    slots of first checks, and the rest of a long import. The job's name is stored in the queue.
    """
    now = context.clock.now()
    day = warsaw_date(now)
    if await plan_first_checks(context.database, now, tenant_id):
        await context.queue.enqueue(run_check_worker, day=day)
    slots = context.components.get(FirstCheckSlots)
    if slots.locked():
        return
    async with slots:
        deadline = utc_now() + MAX_FIRST_CHECK_TIME
        await FirstCheckWorker(context, day, tenant_id).run(lambda: utc_now() > deadline)
    # The worker of the run may have ended while these items were leased.
    if not context.must_stop() and not await has_due_items(
        context.database, day, context.clock.now()
    ):
        await finish_if_idle(context, day)


@job(timeout=300)
async def reconcile_runs(context: AppContext) -> None:
    """Start a due run, plan missing items, and enqueue workers for due items.

    Planning comes first, because a failure in one day's changes must not prevent a day's check.
    """
    now = context.clock.now()
    today = warsaw_date(now)
    planned = await _plan_due_drivers(context, now)
    if planned:
        log.info("drivers_planned", day=today.isoformat(), drivers=planned)
    await _carry_out_requests(context)
    due_days = await list_due_days(context.database, now)
    for day in due_days:
        for _ in range(MAX_WORKERS):
            await context.queue.enqueue(run_check_worker, day=day)
    yesterday = today - timedelta(days=1)
    for day in reversed(await list_open_days(context)):
        # No worker runs on a day before yesterday.
        if day not in due_days and (day >= yesterday or await is_superseded(context, day)):
            await finish_if_idle(context, day)


@job(timeout=300)
async def apply_review_decisions(context: AppContext) -> None:
    """Apply the operators' decisions about mass changes."""
    await apply_decisions(context)


@job(timeout=60)
async def retry_unanswered_items(context: AppContext) -> None:
    """Make the unanswered items due for which operators requested it, and enqueue workers."""
    for day in await retry_unanswered(context):
        await context.queue.enqueue(run_check_worker, day=day)


async def _carry_out_requests(context: AppContext) -> None:
    """Carry out operators' decisions and requests; failed ones are repeated and stop no check."""
    for carry_out in (apply_decisions, retry_unanswered):
        try:
            await carry_out(context)
        except Exception:
            log.exception("check_request_failed", request=carry_out.__name__)


async def _plan_due_drivers(context: AppContext, now: datetime) -> int:
    """Plan the run when its start is due, else only missing items; returns the number planned."""
    start_due = await _is_start_due(context, now)
    if start_due and not await is_started(context, warsaw_date(now)):
        return await plan_run(context.database, now)
    return await plan_missing_items(context.database, now, first_checks_only=not start_due)


async def _is_start_due(context: AppContext, now: datetime) -> bool:
    """Whether the start time of today's check is over."""
    schedule = CheckSchedule.from_settings(context.settings)
    if schedule.due_day(now, 0):  # the latest start: no need to count drivers
        return True
    async with context.database.planner() as planner:
        drivers = await count_due_drivers(planner, now)
    return schedule.due_day(now, drivers) is not None


@job(timeout=300)
async def replan_all(context: AppContext) -> None:
    """Plan missing items driver by driver; `reconcile_runs` only compares counts."""
    now = context.clock.now()
    if await is_started(context, warsaw_date(now)):
        await plan_run(context.database, now)


@job(timeout=300)
async def prune_check_items(context: AppContext) -> None:
    """Drop check items that are not kept any longer."""
    dropped = await drop_old_items(context.database, context.clock.now())
    if dropped:
        log.info("check_items_pruned", days=dropped)
