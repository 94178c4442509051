"""`prawko worker`: consumes the queue and runs the scheduler until SIGTERM.

On SIGTERM it claims no more work: check workers write the answers they have and release the
rest, senders finish the current message. After 25 seconds what is left is cancelled, and before
30 are over the process ends, whatever still runs.
"""

import asyncio
import dataclasses
import gc
import logging
import os
import signal
import threading
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from saq.types import Context
from saq.worker import Worker

from prawko.apps.composition_root import create_context
from prawko.apps.worker.database_metrics import refresh_until_shutdown
from prawko.apps.worker.schedule import SCHEDULE, PeriodicJob
from prawko.apps.worker.scheduler import TICK_INTERVAL, Scheduler
from prawko.invoices.jobs import build_invoice
from prawko.kit.bootstrap import close_context
from prawko.kit.clock import GuardedClock
from prawko.kit.context import AppContext
from prawko.kit.deliveries.jobs import deliver_pending, watch_lapsed_messages
from prawko.kit.incidents.clock_monitoring import check_clock, require_right_clock, watch_clock
from prawko.kit.incidents.heartbeats import (
    WORKER_INTERVAL,
    HeartbeatKind,
    record_heartbeat,
    remove_heartbeat,
)
from prawko.kit.incidents.plugin_faults import set_plugin_incident
from prawko.kit.incidents.process_watch import ProcessWatch
from prawko.kit.observability import logs
from prawko.kit.observability.metrics_server import serve_own_metrics
from prawko.kit.observability.request_ids import request_id_bound
from prawko.kit.observability.tracing import TRACEPARENT, start_tracing, trace_span
from prawko.kit.providers.calls import has_abandoned_calls
from prawko.kit.providers.child_runs import discover_in_child
from prawko.kit.providers.entries import warn_of_stray_names
from prawko.kit.settings_validation import require_planner
from prawko.kit.startup_checks import require_pooler, require_redis_login, require_schema
from prawko.kit.variables import warn_of_unknown_variables
from prawko.kit.work.jobs import Job
from prawko.kit.work.queue import REQUEST_ID, SaqQueue
from prawko.payments.jobs import make_requested_refund
from prawko.verifications.jobs import (
    apply_review_decisions,
    check_new_documents,
    retry_unanswered_items,
    run_check_worker,
)
from prawko_tenants.ids import new_id

log = logs.get_logger(__name__)

DRAIN_SECONDS = 25
CLOSE_SECONDS = 1.5  # for what was cancelled, and again for the connections: both may hang
MAX_STOP_SECONDS = 29.0
CONCURRENCY = 8
RECONNECT_SECONDS = 2.0

ON_DEMAND_JOBS: tuple[Job[Any], ...] = (
    deliver_pending,
    check_new_documents,
    run_check_worker,
    build_invoice,
    apply_review_decisions,
    retry_unanswered_items,
    make_requested_refund,
    set_plugin_incident,
)
JOBS = (*ON_DEMAND_JOBS, *(periodic.job for periodic in SCHEDULE))


def start_worker(variables: Mapping[str, str]) -> None:
    """Work until SIGTERM or SIGINT.

    Raises SettingsError, PluginError, SchemaError, PoolerError and ClockDiffersError.
    """
    installed = discover_in_child(variables)
    context = create_context(variables, installed_plugins=installed, requirements=[require_planner])
    warn_of_unknown_variables(variables, context.plugins)
    warn_of_stray_names(variables)

    async def run() -> None:
        await require_pooler(context.settings)
        await require_schema(context.database)
        await require_redis_login(context)
        await require_right_clock(context)
        await run_until_terminated(context)

    asyncio.run(run())


def _tune_gc() -> None:
    """Collect garbage less often: it took a tenth of a check's time.

    Imported objects are permanent, and the answers of the register form no cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def run_until_terminated(
    context: AppContext,
    *,
    schedule: Sequence[PeriodicJob] = SCHEDULE,
    tick_interval: timedelta = TICK_INTERVAL,
) -> None:
    """Work until SIGTERM or SIGINT, then close the context.

    While the clock is wrong nothing is begun, and what runs ends before its next batch.
    """
    logs.start_output_thread()
    start_tracing("worker")
    context = dataclasses.replace(context, clock=GuardedClock(context.clock, context.clock_guard))
    _tune_gc()
    loop = asyncio.get_running_loop()
    terminating = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, terminating.set)
    process_watch = ProcessWatch(context, "worker")
    process_watch.start()
    await check_clock(context)
    tasks = [asyncio.create_task(_consume_queue(context, terminating))]
    tasks.append(asyncio.create_task(beat_until_shutdown(context)))
    tasks.append(asyncio.create_task(watch_lapsed_messages(context)))
    if context.settings.metrics_port:
        serve_own_metrics(context.settings)
        tasks.append(asyncio.create_task(refresh_until_shutdown(context)))
    if context.settings.scheduler_enabled:
        scheduler = Scheduler(context, schedule, tick_interval)
        tasks.append(asyncio.create_task(scheduler.run()))
    watching = asyncio.create_task(watch_clock(context))
    log.info("worker_started")
    await terminating.wait()
    _limit_stop()
    context.shutdown.set()  # before any cancellation: running jobs then finish by themselves
    log.info("worker_draining")
    _, late = await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
    for task in late:
        task.cancel()
    watching.cancel()
    _, hanging = await asyncio.wait([*tasks, watching], timeout=CLOSE_SECONDS)
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await close_context(context)
    except TimeoutError:  # PostgreSQL may have fallen silent; leases end by themselves
        log.warning("connections_not_closed")
    process_watch.stop()
    log.info("worker_stopped", hanging=len(hanging))
    if hanging or has_abandoned_calls():  # the loop would wait for them when it closes
        _exit_process(0)


def _limit_stop() -> None:
    """End the process after MAX_STOP_SECONDS: a plugin's thread or task could keep it for ever."""

    def end() -> None:
        log.critical("worker_stopped_by_force", seconds=MAX_STOP_SECONDS)
        _exit_process(1)

    timer = threading.Timer(MAX_STOP_SECONDS, end)
    timer.daemon = True
    timer.start()


def _exit_process(code: int) -> None:
    logging.shutdown()  # writes the lines that wait
    os._exit(code)


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
    """SAQ's worker without signal handlers, which waits without Redis or the right time."""

    SIGNALS: list[signal.Signals] = []  # noqa: RUF012 (SAQ declares it so)

    def __init__(self, context: AppContext, queue: SaqQueue) -> None:
        self._clock_guard = context.clock_guard
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
        # With a wrong clock another worker takes the jobs.
        if not self._clock_guard.is_trusted or not await self._app_queue.is_available():
            await asyncio.sleep(RECONNECT_SECONDS)
            return False
        return await super().process()


def _create_handler(context: AppContext, job: Job[Any]) -> Any:
    async def handle(saq_context: Context, *, payload: dict[str, Any]) -> None:
        meta = saq_context["job"].meta or {}
        with (
            request_id_bound(meta.get(REQUEST_ID, "")),
            trace_span(f"job {job.name}", parent=meta.get(TRACEPARENT, "")),
        ):
            try:
                await job.run_payload(context, payload)
            except Exception:
                log.exception("job_failed", job=job.name)
                raise

    return handle


async def beat_until_shutdown(context: AppContext) -> None:
    """Record a heartbeat every WORKER_INTERVAL; the last act of a worker is to remove it.

    HEARTBEAT_FILE is as old as the last one that PostgreSQL has recorded.
    """
    file = context.settings.heartbeat_file
    name = new_id().hex
    while not context.shutdown:
        try:
            async with context.database.system() as session:
                await record_heartbeat(session, HeartbeatKind.WORKER, name)
            _touch(file)
        except Exception as error:  # noqa: BLE001 (the boundary of the process: it goes on)
            log.warning("heartbeat_failed", error=type(error).__name__)
        await context.shutdown.sleep_up_to(WORKER_INTERVAL.total_seconds())
    async with context.database.system() as session:
        await remove_heartbeat(session, HeartbeatKind.WORKER, name)


def _touch(file: str) -> None:
    if file:
        Path(file).touch()
