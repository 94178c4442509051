"""The worker's own clockwork: periodic jobs run though Redis is gone.

Every worker ticks; an advisory lock of PostgreSQL lets one of them act. Without Redis its
rings are lost, so what they would have rung for is done here.
"""

import asyncio
import zlib
from datetime import datetime, timedelta

from sqlalchemy import text

from prawko.base import logs
from prawko.base.clock import machine_now, warsaw_day
from prawko.base.jobs import Tools
from prawko.base.queue import SaqQueue
from prawko.deliveries.jobs import deliver_pending
from prawko.verifications.jobs import pump
from prawko.verifications.leases import anything_due
from prawko.worker.timetable import TIMETABLE, Periodic

log = logs.logger(__name__)

TICK = timedelta(seconds=5)
LOOKS_PER_TICK = 25  # at whether the process was asked to end

_LOCK = text("SELECT pg_try_advisory_xact_lock(:key)")
# The transaction only holds the lock while the job runs in others of its own.
_MAY_IDLE = text("SET LOCAL idle_in_transaction_session_timeout = 0")


class Ticker:
    """Ticks until the process stops."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._ran: dict[str, datetime] = {}

    async def run(self) -> None:
        """Run what is due, again and again; one job's failure is not the others'.

        What waits for other people's servers goes round apart: the daily check does not wait
        for a provider of payments that says nothing.
        """
        await asyncio.gather(self._go_round(aside=False), self._go_round(aside=True))

    async def _go_round(self, *, aside: bool) -> None:
        while not self._tools.stopping:
            for periodic in TIMETABLE:
                if periodic.aside is aside and self._is_due(periodic):
                    await self._run(periodic)
            if not aside:
                await self._do_without_redis()
            await self._pause()

    async def _pause(self) -> None:
        for _ in range(LOOKS_PER_TICK):
            if self._tools.stopping:
                return
            await asyncio.sleep(TICK.total_seconds() / LOOKS_PER_TICK)

    def _is_due(self, periodic: Periodic) -> bool:
        ran = self._ran.get(periodic.job.name)
        return ran is None or machine_now() - ran >= periodic.every

    async def _run(self, periodic: Periodic) -> None:
        self._ran[periodic.job.name] = machine_now()
        try:
            async with asyncio.timeout(periodic.job.timeout):
                await run_alone(self._tools, periodic)
        except Exception:  # the edge of a job
            log.exception("periodic_job_failed", job=periodic.job.name)
            del self._ran[periodic.job.name]  # again at the next tick

    async def _do_without_redis(self) -> None:
        queue = self._tools.queue
        if not isinstance(queue, SaqQueue) or await queue.answers():
            return
        log.warning("working_without_redis")
        try:
            await deliver_pending(self._tools)
            now = self._tools.clock.now()
            if await anything_due(self._tools.database, warsaw_day(now), now):
                await pump(self._tools, day=warsaw_day(now))
        except Exception:  # the edge of a job
            log.exception("work_without_redis_failed")


async def run_alone(tools: Tools, periodic: Periodic) -> bool:
    """Run a job unless another process is at it this moment; says whether it ran here."""
    async with tools.database.system() as session:
        if not await session.scalar(_LOCK, {"key": zlib.crc32(periodic.job.name.encode())}):
            return False
        await session.execute(_MAY_IDLE)
        await periodic.job(tools)
        return True
