"""Runs the periodic jobs, with or without Redis.

Every worker has a scheduler; an advisory lock in PostgreSQL lets one of them run a job. While
Redis is unavailable, enqueued jobs are lost, so their work is done here. None runs here while this
machine's clock differs from PostgreSQL's. Intervals are by the monotonic clock, which is never set.
"""

import asyncio
import time
import zlib
from collections.abc import Coroutine, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import text

from prawko.apps.worker.schedule import SCHEDULE, PeriodicJob
from prawko.kit.context import AppContext
from prawko.kit.deliveries.jobs import deliver_pending
from prawko.kit.observability import logs
from prawko.verifications.daily.repository import list_due_days
from prawko.verifications.jobs import run_check_worker

log = logs.get_logger(__name__)

TICK_INTERVAL = timedelta(seconds=5)

_TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(:key)")
# The transaction only holds the lock, while the job runs in transactions of its own.
_DISABLE_IDLE_TIMEOUT = text("SET LOCAL idle_in_transaction_session_timeout = 0")


class Scheduler:
    """Runs due jobs at every tick until the shutdown."""

    def __init__(
        self,
        context: AppContext,
        schedule: Sequence[PeriodicJob] = SCHEDULE,
        tick_interval: timedelta = TICK_INTERVAL,
    ) -> None:
        self._context = context
        self._schedule = schedule
        self._tick_interval = tick_interval
        self._last_run_at: dict[str, float] = {}
        self._fallbacks: set[asyncio.Task[None]] = set()
        self._checking: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Run due jobs until the shutdown. A failing job does not affect the others.

        Jobs that wait for the same run in a loop of their own: the daily check does not wait for
        a payment provider that does not respond, nor does that for the issuer of invoices.
        """
        loops = {periodic.waits_for for periodic in self._schedule}
        await asyncio.gather(
            self._loop_without_redis(), *(self._loop(waits_for) for waits_for in loops)
        )
        await asyncio.gather(*self._fallbacks)

    async def _loop(self, waits_for: str) -> None:
        while not self._context.shutdown:
            for periodic in self._schedule:
                if periodic.waits_for == waits_for and self._is_due(periodic):
                    await self._run_job(periodic)
            await self._context.shutdown.sleep_up_to(self._tick_interval.total_seconds())

    async def _loop_without_redis(self) -> None:
        while not self._context.shutdown:
            if not self._context.must_stop():
                await self._run_without_redis()
            await self._context.shutdown.sleep_up_to(self._tick_interval.total_seconds())

    def _is_due(self, periodic: PeriodicJob) -> bool:
        if self._context.must_stop():
            return False
        last_run_at = self._last_run_at.get(periodic.job.name)
        seconds = periodic.interval.total_seconds()
        return last_run_at is None or time.monotonic() - last_run_at >= seconds

    async def _run_job(self, periodic: PeriodicJob) -> None:
        self._last_run_at[periodic.job.name] = time.monotonic()
        try:
            async with asyncio.timeout(periodic.job.timeout):
                await run_exclusively(self._context, periodic)
        except Exception:  # the boundary of a job
            log.exception("periodic_job_failed", job=periodic.job.name)
            del self._last_run_at[periodic.job.name]  # retry at the next tick

    async def _run_without_redis(self) -> None:
        if await self._context.queue.is_available():
            return
        log.warning("redis_unavailable")
        # Not awaited: a carrier that hangs delays neither the check nor another carrier.
        self._start_fallback(deliver_pending(self._context))
        if self._checking is None or self._checking.done():
            self._checking = self._start_fallback(self._check_due_items())

    def _start_fallback(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        async def run() -> None:
            try:
                await work
            except Exception:  # the boundary of a job
                log.exception("fallback_run_failed")

        task = asyncio.create_task(run())
        self._fallbacks.add(task)
        task.add_done_callback(self._fallbacks.discard)
        return task

    async def _check_due_items(self) -> None:
        for day in await list_due_days(self._context.database, self._context.clock.now()):
            await run_check_worker(self._context, day=day)


async def run_exclusively(context: AppContext, periodic: PeriodicJob) -> bool:
    """Run a job unless another process is running it; False if it did not run here."""
    async with context.database.system() as session:
        if not await session.scalar(_TRY_LOCK, {"key": zlib.crc32(periodic.job.name.encode())}):
            return False
        await session.execute(_DISABLE_IDLE_TIMEOUT)
        await periodic.job(context)
        return True
