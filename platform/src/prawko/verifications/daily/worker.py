"""Worker of the daily check: leases items, queries the register, records the results.

A batch is written while the next one is queried. A worker that is killed leaves leases that
expire and no partly written batch. Any number of workers run in parallel, in one process or in
several; the rate limiter bounds all of them together.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import date, timedelta

from prawko.base import logs
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.lease import retry_write
from prawko.deliveries.jobs import deliver_pending
from prawko.verifications.daily.recorder import record_answers, schedule_retries
from prawko.verifications.daily.repository import (
    LEASE_DURATION,
    claim_items,
    has_due_items,
    has_leased_items,
    release_items,
)
from prawko.verifications.register.circuit_breaker import blocked_until
from prawko.verifications.register.client import (
    Answer,
    Failure,
    RegisterClient,
    Skipped,
    TaskResult,
)
from prawko.verifications.register.rate_limit_policy import Reservation
from prawko.verifications.register.rate_limiter import RUN, RateLimiter
from prawko.verifications.results.writer import CheckTotals
from prawko_tenants.outages import is_connection_error

log = logs.get_logger(__name__)

HORIZON_SECONDS = 2.0
# Pause of a worker while other workers have reserved all slots.
IDLE_SECONDS = 1.0
# Bounds the memory for leased tasks at any register rate.
MAX_LEASE = 500
MAX_WORKERS = 4  # per process
MAX_RUN_TIME = timedelta(minutes=1)

StopCondition = Callable[[], bool]


class CheckWorker:
    """Checks due drivers of one day's run."""

    def __init__(self, context: AppContext, day: date) -> None:
        settings = context.settings
        register = context.plugins.get_register(settings.register)
        self._context = context
        self._day = day
        self._limiter = RateLimiter(context.database, register.name, settings.register_rate)
        self._client = RegisterClient(
            register,
            context.clock,
            deadline=settings.register_deadline,
            max_concurrency=settings.register_max_concurrency,
        )
        self._lease_duration = LEASE_DURATION + 2 * timedelta(seconds=settings.register_deadline)
        self._pending_write: asyncio.Task[None] | None = None
        self.totals = CheckTotals()

    async def run(self, should_stop: StopCondition, *, wait_when_blocked: bool = False) -> None:
        """Run until nothing is due, the register is blocked or `should_stop` returns True.

        With `wait_when_blocked`, a blocked register or an unavailable database is waited for.
        """
        try:
            while not (self._context.shutdown or should_stop()):
                try:
                    if not await self._step(wait_when_blocked=wait_when_blocked):
                        return
                except Exception as error:
                    if not (wait_when_blocked and is_connection_error(error)):
                        raise
                    log.warning("check_worker_paused", error=type(error).__name__)
                    await asyncio.sleep(IDLE_SECONDS)
        finally:
            await self._await_pending_write()

    async def _step(self, *, wait_when_blocked: bool) -> bool:
        """Query one batch or wait for slots; False if there is nothing left to do."""
        database = self._context.database
        if not await has_due_items(database, self._day, self._context.clock.now()):
            await self._await_pending_write()
            # Items leased by others may become due again, by a release or an expired lease.
            if not wait_when_blocked or not await has_leased_items(database, self._day):
                return False
            await asyncio.sleep(IDLE_SECONDS)
            return True
        reservation = await self._limiter.reserve(RUN, max_slots=MAX_LEASE, horizon=HORIZON_SECONDS)
        if reservation is not None:
            await self._query_batch(reservation)
            return True
        if not wait_when_blocked and not await self.can_query():
            return False
        await asyncio.sleep(IDLE_SECONDS)
        return True

    async def can_query(self) -> bool:
        """Whether the rate limiter allows a query or a probe now."""
        return blocked_until(await self._limiter.state(), utc_now()) is None

    async def _query_batch(self, reservation: Reservation) -> None:
        """Lease as many items as there are slots, query them and record the results."""
        tasks = await claim_items(
            self._context.database,
            self._day,
            self._context.clock.now(),
            reservation.count,
            duration=self._lease_duration,
        )
        open_tasks = {task.driver_id: task for task in tasks}
        try:
            batches = self._client.query_all(tasks, reservation, interval=HORIZON_SECONDS)
            async with aclosing(batches):  # stops querying before the rest is released
                async for results in batches:
                    try:
                        await self._await_pending_write()
                    finally:  # even if the previous batch could not be written
                        self._pending_write = asyncio.create_task(self._record_results(results))
                        for result in results:
                            open_tasks.pop(result.task.driver_id, None)
                    await self._report_to_limiter(results)
                    if self._context.shutdown:
                        break
        finally:
            await release_items(self._context.database, self._day, list(open_tasks.values()))

    async def _report_to_limiter(self, results: Sequence[TaskResult]) -> None:
        """Update the rate limiter, before the next query is sent."""
        errors = [result.error for result in results if isinstance(result, Failure)]
        any_success = any(isinstance(result, Answer) for result in results)
        await self._limiter.record(any_success=any_success, errors=errors)

    async def _await_pending_write(self) -> None:
        """Wait until the previous batch is written; raises its error."""
        pending_write, self._pending_write = self._pending_write, None
        if pending_write is not None:
            await pending_write

    async def _record_results(self, results: Sequence[TaskResult]) -> None:
        """Record answers, schedule retries of failures and release skipped tasks."""
        answers = [result for result in results if isinstance(result, Answer)]
        failures = [result for result in results if isinstance(result, Failure)]
        skipped = [result.task for result in results if isinstance(result, Skipped)]
        lease_ends = min(result.task.lease_until for result in results)
        # A repeated write whose first try was committed changes nothing: the items are closed.
        if answers:
            recorded = await retry_write(
                lease_ends, lambda: record_answers(self._context, self._day, answers)
            )
            self.totals += recorded
            if recorded.notices:
                await self._context.queue.enqueue(deliver_pending)
        await retry_write(lease_ends, lambda: schedule_retries(self._context, self._day, failures))
        await retry_write(
            lease_ends, lambda: release_items(self._context.database, self._day, skipped)
        )


class WorkerSlots:
    """Limits the workers of this process to MAX_WORKERS."""

    def __init__(self) -> None:
        self._free = MAX_WORKERS

    def acquire(self) -> bool:
        """Take a slot; False if none is free."""
        if self._free == 0:
            return False
        self._free -= 1
        return True

    def release(self) -> None:
        """Return a slot."""
        self._free += 1
