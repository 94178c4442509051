"""`prawko worker`: consumes the queue and runs the scheduler until SIGTERM.

On SIGTERM it claims no more work: check workers write the answers they have and release the
rest, senders finish the current message. After 25 seconds what is left is cancelled.
"""

import asyncio
import gc
import signal
from collections.abc import Mapping
from typing import Any

from saq.types import Context
from saq.worker import Worker

from prawko.base import logs
from prawko.base.bootstrap import close_context, create_context
from prawko.base.context import AppContext
from prawko.base.jobs import Job
from prawko.base.queue import SaqQueue
from prawko.base.startup_checks import require_schema
from prawko.deliveries.jobs import deliver_pending
from prawko.hooks.environment import SettingsError
from prawko.invoices.jobs import build_invoice
from prawko.payments.jobs import make_requested_refund
from prawko.verifications.jobs import (
    apply_review_decisions,
    retry_unanswered_items,
    run_check_worker,
)
from prawko.worker.composition_root import register_handlers
from prawko.worker.schedule import SCHEDULE
from prawko.worker.scheduler import Scheduler

log = logs.get_logger(__name__)

DRAIN_SECONDS = 25
CONCURRENCY = 8
RECONNECT_SECONDS = 2.0

ON_DEMAND_JOBS: tuple[Job[Any], ...] = (
    deliver_pending,
    run_check_worker,
    build_invoice,
    apply_review_decisions,
    retry_unanswered_items,
    make_requested_refund,
)
JOBS = (*ON_DEMAND_JOBS, *(periodic.job for periodic in SCHEDULE))


def start_worker(variables: Mapping[str, str]) -> None:
    """Work until SIGTERM or SIGINT. Raises SettingsError, PluginError and SchemaError."""
    context = create_context(variables)
    if not context.settings.planner_database_url:
        raise SettingsError("PLANNER_DATABASE_URL", "is missing (a worker plans the daily check)")

    async def run() -> None:
        await require_schema(context.database)
        await run_until_terminated(context)

    asyncio.run(run())


def _tune_gc() -> None:
    """Collect garbage less often: it took a tenth of a check's time.

    Imported objects are permanent, and the answers of the register form no cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def run_until_terminated(context: AppContext, scheduler: Scheduler | None = None) -> None:
    """Work until SIGTERM or SIGINT, then close the context."""
    register_handlers(context)
    _tune_gc()
    loop = asyncio.get_running_loop()
    terminating = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, terminating.set)
    tasks = [asyncio.create_task(_consume_queue(context, terminating))]
    if context.settings.scheduler_enabled:
        tasks.append(asyncio.create_task((scheduler or Scheduler(context)).run()))
    log.info("worker_started")
    await terminating.wait()
    context.shutdown.set()  # before any cancellation: running jobs then finish by themselves
    log.info("worker_draining")
    _, late = await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await close_context(context)
    log.info("worker_stopped")


async def _consume_queue(context: AppContext, terminating: asyncio.Event) -> None:
    """Run the jobs of the queue, and reconnect when Redis was unavailable."""
    queue = context.queue
    if not isinstance(queue, SaqQueue):
        raise TypeError("a worker needs the queue on Redis")
    while not terminating.is_set():
        worker = _SaqWorker(context, queue)
        running = asyncio.create_task(worker.start())
        termination = asyncio.create_task(terminating.wait())
        await asyncio.wait({running, termination}, return_when=asyncio.FIRST_COMPLETED)
        termination.cancel()
        if terminating.is_set():
            await worker.stop()
        try:
            await running
        except Exception as error:  # noqa: BLE001 (the boundary of the process)
            log.warning("queue_disconnected", reason=type(error).__name__)
            await asyncio.sleep(RECONNECT_SECONDS)


class _SaqWorker(Worker[Context]):
    """SAQ's worker without signal handlers of its own, which waits while Redis is unavailable."""

    SIGNALS: list[signal.Signals] = []  # noqa: RUF012 (SAQ declares it so)

    def __init__(self, context: AppContext, queue: SaqQueue) -> None:
        super().__init__(
            queue.saq,
            functions=[(job.name, _create_handler(context, job)) for job in JOBS],
            concurrency=CONCURRENCY,
            shutdown_grace_period_s=DRAIN_SECONDS,
            dequeue_timeout=1.0,
        )
        self._app_queue = queue
        self._upkeep_tasks: list[asyncio.Task[None]] = []

    async def upkeep(self) -> list[asyncio.Task[None]]:
        self._upkeep_tasks = await super().upkeep()
        return self._upkeep_tasks

    async def stop(self) -> None:
        """Wait for jobs only: upkeep tasks sleep up to a minute between two runs."""
        for task in self._upkeep_tasks:
            task.cancel()
        await super().stop()

    async def process(self) -> bool:
        if not await self._app_queue.is_available():
            await asyncio.sleep(RECONNECT_SECONDS)
            return False
        return await super().process()


def _create_handler(context: AppContext, job: Job[Any]) -> Any:
    async def handle(_: Context, *, payload: dict[str, Any]) -> None:
        try:
            await job.run_payload(context, payload)
        except Exception:
            log.exception("job_failed", job=job.name)
            raise

    return handle
