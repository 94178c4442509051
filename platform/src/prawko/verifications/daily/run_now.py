"""The whole daily check in this process, for the command line and the demo."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import date

import msgspec

from prawko.drivers.models import Outcome
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.deliveries.senders import deliver_all
from prawko.kit.outbox.rendering import RendererRegistry
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.daily.repository import has_leased_items
from prawko.verifications.daily.run_end import finish_if_idle
from prawko.verifications.daily.run_repository import RunProgress, load_progress
from prawko.verifications.daily.worker import MAX_WORKERS, CheckWorker

POLL_SECONDS = 0.2

ProgressCallback = Callable[[RunProgress], None]


class DailyCheckReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Result of one call. `unresolved` drivers of the day have no effective result yet."""

    day: date
    planned: int
    done: int
    valid: int
    invalid: int
    attention: int
    not_found: int
    unresolved: int
    notices: int


async def run_daily_check(
    context: AppContext,
    renderers: RendererRegistry,
    *,
    on_progress: ProgressCallback = lambda _: None,
) -> DailyCheckReport:
    """Plan today's run, check until no item is due before its next try, and deliver the notices.

    May be interrupted and repeated; drivers with an item of the day are not planned again. Runs
    beside the workers and waits until their leased items are done.
    """
    now = context.clock.now()
    day = warsaw_date(now)
    planned = await plan_run(context.database, now)
    workers = [CheckWorker(context, day) for _ in range(MAX_WORKERS)]
    is_done = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(_report_progress(context, day, on_progress, is_done))
        await _drain(context, day, workers)
        is_done.set()
    review = await finish_if_idle(context, day)
    await deliver_all(context, renderers)
    totals = sum((worker.totals for worker in workers), start=review)
    progress = await load_progress(context, day)
    on_progress(progress)
    return DailyCheckReport(
        day=day,
        planned=planned,
        done=totals.outcomes.total(),
        valid=totals.outcomes[Outcome.VALID],
        invalid=totals.outcomes[Outcome.INVALID],
        attention=totals.outcomes[Outcome.ATTENTION],
        not_found=totals.outcomes[Outcome.NOT_FOUND],
        unresolved=progress.unresolved + progress.quarantined,
        notices=totals.notices,
    )


async def _drain(context: AppContext, day: date, workers: list[CheckWorker]) -> None:
    """Run the workers until no item is due or leased."""
    while not context.must_stop():
        async with asyncio.TaskGroup() as group:
            for worker in workers:
                group.create_task(worker.run(lambda: False))
        if not await has_leased_items(context.database, day):
            return
        await asyncio.sleep(POLL_SECONDS)


async def _report_progress(
    context: AppContext, day: date, on_progress: ProgressCallback, is_done: asyncio.Event
) -> None:
    while not is_done.is_set():
        on_progress(await load_progress(context, day))
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await is_done.wait()
