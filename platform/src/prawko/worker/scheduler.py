"""Runs the periodic jobs, with or without Redis.

Every worker has a scheduler; an advisory lock in PostgreSQL lets one of them run a job. While
Redis is unavailable, enqueued jobs are lost, so their work is done here.
"""

import asyncio
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import text

from prawko.base import logs
from prawko.base.clock import utc_now, warsaw_date
from prawko.base.context import AppContext
from prawko.base.queue import SaqQueue
from prawko.deliveries.jobs import deliver_pending
from prawko.verifications.daily.repository import has_due_items
from prawko.verifications.jobs import run_check_worker
from prawko.worker.schedule import SCHEDULE, PeriodicJob

log = logs.get_logger(__name__)

TICK_INTERVAL = timedelta(seconds=5)
STOP_CHECKS_PER_TICK = 25  # how often a pause checks for the shutdown

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
        self._last_run_at: dict[str, datetime] = {}

    async def run(self) -> None:
        """Run due jobs until the shutdown. A failing job does not affect the others.

        Isolated jobs run in a loop of their own: the daily check does not wait for a payment
        provider that does not respond.
        """
        await asyncio.gather(self._loop(isolated=False), self._loop(isolated=True))

    async def _loop(self, *, isolated: bool) -> None:
        while not self._context.shutdown:
            for periodic in self._schedule:
                if periodic.isolated is isolated and self._is_due(periodic):
                    await self._run_job(periodic)
            if not isolated:
                await self._run_without_redis()
            await self._sleep()

    async def _sleep(self) -> None:
        for _ in range(STOP_CHECKS_PER_TICK):
            if self._context.shutdown:
                return
            await asyncio.sleep(self._tick_interval.total_seconds() / STOP_CHECKS_PER_TICK)

    def _is_due(self, periodic: PeriodicJob) -> bool:
        last_run_at = self._last_run_at.get(periodic.job.name)
        return last_run_at is None or utc_now() - last_run_at >= periodic.interval

    async def _run_job(self, periodic: PeriodicJob) -> None:
        self._last_run_at[periodic.job.name] = utc_now()
        try:
            async with asyncio.timeout(periodic.job.timeout):
                await run_exclusively(self._context, periodic)
        except Exception:  # the boundary of a job
            log.exception("periodic_job_failed", job=periodic.job.name)
            del self._last_run_at[periodic.job.name]  # retry at the next tick

    async def _run_without_redis(self) -> None:
        queue = self._context.queue
        if not isinstance(queue, SaqQueue) or await queue.is_available():
            return
        log.warning("redis_unavailable")
        try:
            await deliver_pending(self._context)
            now = self._context.clock.now()
            if await has_due_items(self._context.database, warsaw_date(now), now):
                await run_check_worker(self._context, day=warsaw_date(now))
        except Exception:  # the boundary of a job
            log.exception("fallback_run_failed")


async def run_exclusively(context: AppContext, periodic: PeriodicJob) -> bool:
    """Run a job unless another process is running it; False if it did not run here."""
    async with context.database.system() as session:
        if not await session.scalar(_TRY_LOCK, {"key": zlib.crc32(periodic.job.name.encode())}):
            return False
        await session.execute(_DISABLE_IDLE_TIMEOUT)
        await periodic.job(context)
        return True
