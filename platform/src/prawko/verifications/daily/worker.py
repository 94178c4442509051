"""Worker of the daily check: leases items, queries the register, records the results.

A batch is written while the next one is queried. A worker that is killed leaves leases that
expire and no partly written batch. Any number of workers run in parallel, in one process or in
several; the rate limiter bounds all of them together.

The worker writes a batch, with retries; `recorder` records it in one transaction of all its
companies; `results_writer` saves the rows of a company.

A batch passes through four forms: an `AnsweredTask` of the register client, a `NormalisedAnswer`
in the form in which it is stored, a `CheckResult` that the decision makes of it, and the rows that
`results_writer` saves.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import date, datetime, timedelta
from functools import partial

import msgspec

from prawko.hooks.errors import ProviderAccountError
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.plugin_faults import record_fault, record_success, to_failed_call
from prawko.kit.observability import logs
from prawko.kit.observability.tracing import trace_span
from prawko.kit.work.lease import retry_write
from prawko.kit.work.lease_renewal import LeaseRenewal
from prawko.verifications.daily.recorder import record_answers, schedule_retries
from prawko.verifications.daily.repository import (
    claim_items,
    count_first_checks,
    has_due_items,
    has_leased_items,
    release_items,
    renew_leases,
)
from prawko.verifications.register.access import RegisterAccess, RegisterAccesses
from prawko.verifications.register.check_tasks import (
    AnsweredTask,
    CheckTask,
    FailedTask,
    SkippedTask,
    TaskResult,
)
from prawko.verifications.register.client import TIMEOUT_FACTOR, fault_of
from prawko.verifications.register.rate_limit_policy import Reservation
from prawko.verifications.register.rate_limiter import INTERACTIVE, RUN
from prawko.verifications.results_writer import CheckTotals
from prawko_tenants.ids import TenantId
from prawko_tenants.outages import is_connection_error, is_unavailable

log = logs.get_logger(__name__)

HORIZON_SECONDS = 2.0
# Pause of a worker while other workers have reserved all slots.
IDLE_SECONDS = 1.0
# Bounds the memory for leased tasks at any register rate.
MAX_LEASE = 500
MAX_WORKERS = 4  # per process
MAX_RUN_TIME = timedelta(minutes=1)
# How much longer than a query a lease lasts. It is renewed while the worker lives, so that the
# items of a dead worker wait at most for a query and this margin.
LEASE_MARGIN = timedelta(seconds=15)
# Beyond the lease, because PostgreSQL may be unavailable for longer; a lost lease writes nothing.
WRITE_PERIOD = timedelta(minutes=2)

# The rest of a long import is checked by the workers of the run.
MAX_FIRST_CHECK_TIME = timedelta(seconds=20)

StopCondition = Callable[[], bool]


class BatchesInFlight:
    """How many batches the workers of this process query: a lapsed item is queried beside none."""

    count = 0


class CheckWorker:
    """Checks due drivers of one day's run."""

    lane = RUN
    horizon = HORIZON_SECONDS
    _first_checks_of: TenantId | None = None  # the only company whose items are checked

    def __init__(self, context: AppContext, day: date) -> None:
        settings = context.settings
        self._context = context
        self._day = day
        self._accesses = RegisterAccesses(
            context, max_concurrency=settings.register_max_concurrency
        )
        query = timedelta(seconds=settings.register_deadline * TIMEOUT_FACTOR)
        self._lease_duration = LEASE_MARGIN + query
        self._in_flight = context.components.get(BatchesInFlight)
        self._pending_write: asyncio.Task[None] | None = None
        self.totals = CheckTotals()

    async def run(self, should_stop: StopCondition, *, wait_when_blocked: bool = False) -> None:
        """Run until nothing is due, the register is blocked or `should_stop` returns True.

        With `wait_when_blocked`, a blocked register or an unavailable database is waited for.
        """
        try:
            while not (self._context.must_stop() or should_stop()):
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
        max_slots = await self._count_slots()
        if max_slots == 0:
            await self._await_pending_write()
            # Items leased by others may become due again, by a release or an expired lease.
            is_last = not await has_leased_items(self._context.database, self._day)
            if not wait_when_blocked or is_last:
                return False
            await asyncio.sleep(IDLE_SECONDS)
            return True
        reserved = await self._accesses.reserve(
            self.lane, max_slots=max_slots, horizon=self.horizon
        )
        if reserved is not None:
            self._in_flight.count += 1
            try:
                await self._query_batch(*reserved)
            finally:
                self._in_flight.count -= 1
            return True
        if not wait_when_blocked and not await self.can_query():
            return False
        await asyncio.sleep(IDLE_SECONDS)
        return True

    async def can_query(self) -> bool:
        """Whether any access to the register allows a query or a probe now."""
        return await self._accesses.can_query()

    async def _count_slots(self) -> int:
        """How many slots to reserve at most; 0 if nothing is due that may be queried now."""
        database, now = self._context.database, self._context.clock.now()
        if await has_due_items(database, self._day, now, only_free=True):
            return MAX_LEASE
        await self._await_pending_write()  # a lapsed item may end the process
        return int(not self._in_flight.count and await has_due_items(database, self._day, now))

    async def _claim_items(self, limit: int) -> list[CheckTask]:
        """Lease up to `limit` of the items that this worker checks."""
        return await claim_items(
            self._context.database,
            self._day,
            self._context.clock.now(),
            limit,
            duration=self._lease_duration,
            first_checks_of=self._first_checks_of,
            is_idle=self._in_flight.count == 1,
        )

    async def _query_batch(self, access: RegisterAccess, reservation: Reservation) -> None:
        """Lease as many items as there are slots, query them and record the results."""
        tasks = await self._claim_items(reservation.count)
        open_tasks = {task.driver_id: task for task in tasks}
        lease = LeaseRenewal(
            partial(renew_leases, self._context.database, self._day, tasks),
            self._lease_duration,
            min((task.lease_until for task in tasks), default=utc_now()),
        )
        try:
            batches = access.client.query_all(
                tasks, reservation, interval=self.horizon, lease_end=lease.ends_at
            )
            # Stops querying before the rest is released.
            async with lease.running(), aclosing(batches):
                async for received in batches:
                    results: list[TaskResult] = received
                    try:
                        results = await self._report(access, received)
                        await self._await_pending_write()
                    finally:  # even if the previous batch could not be written
                        self._pending_write = asyncio.create_task(self._write_results(results))
                        for result in results:
                            open_tasks.pop(result.task.driver_id, None)
                    if self._context.must_stop():
                        break
        finally:
            await self._release(list(open_tasks.values()))

    async def _report(self, access: RegisterAccess, results: list[TaskResult]) -> list[TaskResult]:
        """Update the rate limiter before the next query is sent, and count the adapter's faults.

        Returns the results; if our account was refused for one document only, that is put aside.
        """
        failures = [result for result in results if isinstance(result, FailedTask)]
        any_success = any(isinstance(result, AnsweredTask) for result in results)
        is_rejected = await access.limiter.record(
            any_success=any_success, failed=[failure.to_failed_call() for failure in failures]
        )
        plugin = access.client.plugin
        faults = [fault for one in failures if (fault := fault_of(one.error)) is not None]
        if faults:
            failed = [to_failed_call(fault) for fault in faults]
            await record_fault(self._context, plugin, faults[-1], failed=failed)
        if any_success:
            await record_success(self._context, plugin)
        return results if is_rejected else [_put_aside(result) for result in results]

    async def _await_pending_write(self) -> None:
        """Wait until the previous batch is written; raises its error."""
        pending_write, self._pending_write = self._pending_write, None
        if pending_write is not None:
            await pending_write

    async def _write_results(self, results: Sequence[TaskResult]) -> None:
        """Record answers, schedule retries of failures and release skipped tasks."""
        if not self._context.clock_guard.is_trusted:  # the times of the queries are wrong
            await self._release([result.task for result in results])
            return
        answers = [result for result in results if isinstance(result, AnsweredTask)]
        failures = [result for result in results if isinstance(result, FailedTask)]
        skipped = [result.task for result in results if isinstance(result, SkippedTask)]
        links = [answer.trace_link for answer in answers if answer.trace_link is not None]
        with trace_span("check record", links=links):
            await self._write_by_kind(answers, failures, skipped)

    async def _write_by_kind(
        self,
        answers: Sequence[AnsweredTask],
        failures: Sequence[FailedTask],
        skipped: Sequence[CheckTask],
    ) -> None:
        retry_until = utc_now() + WRITE_PERIOD
        # A repeated write whose first try was committed changes nothing: the items are closed.
        unwritable: list[FailedTask] = []
        if answers:
            try:
                await self._write_answers(answers, retry_until)
            except Exception as error:
                if is_unavailable(error):
                    raise
                unwritable = await self._write_one_by_one(answers, retry_until)
        failed = [*failures, *unwritable]
        await retry_write(retry_until, lambda: schedule_retries(self._context, self._day, failed))
        await retry_write(retry_until, lambda: self._release(skipped))

    async def _release(self, tasks: Sequence[CheckTask]) -> None:
        now = self._context.clock.now()
        await release_items(self._context.database, self._day, now, tasks)

    async def _write_answers(self, answers: Sequence[AnsweredTask], retry_until: datetime) -> None:
        self.totals += await retry_write(
            retry_until, lambda: record_answers(self._context, self._day, answers)
        )

    async def _write_one_by_one(
        self, answers: Sequence[AnsweredTask], retry_until: datetime
    ) -> list[FailedTask]:
        """Write a failed batch's answers one by one, so that a faulty one affects one driver only.

        Returns the answers that cannot be written.
        """
        failures = []
        for answer in answers:
            try:
                await self._write_answers([answer], retry_until)
            except Exception as error:
                if is_unavailable(error):
                    raise
                log.exception("answer_not_written", driver_id=str(answer.task.driver_id))
                failures.append(FailedTask(answer.task, error))
        return failures


def _put_aside(result: TaskResult) -> TaskResult:
    """Mark a failure by a refused account as one that concerns only its document."""
    if not (isinstance(result, FailedTask) and isinstance(result.error, ProviderAccountError)):
        return result
    log.warning("register_document_refused", driver_id=str(result.task.driver_id))
    return msgspec.structs.replace(result, is_put_aside=True)


class WorkerSlots(asyncio.Semaphore):
    """Limits the workers of this process to MAX_WORKERS; a job that finds them locked ends."""

    limit = MAX_WORKERS

    def __init__(self) -> None:
        super().__init__(self.limit)


class FirstCheckWorker(CheckWorker):
    """Makes the first checks of one company, also while a run is in progress.

    Their items are the run's own, so that none is queried twice. Only the slots come from the lane
    that a run does not use (docs/rules.md R12a).
    """

    lane = INTERACTIVE
    # In seconds; less than a manual check waits for a slot, so that manual checks always get slots.
    horizon = 1.0

    def __init__(self, context: AppContext, day: date, tenant_id: TenantId) -> None:
        super().__init__(context, day)
        self._first_checks_of = self._tenant_id = tenant_id

    async def _count_slots(self) -> int:
        now = self._context.clock.now()
        count = await count_first_checks(self._context.database, self._day, now, self._tenant_id)
        return min(count, MAX_LEASE)


class FirstCheckSlots(WorkerSlots):
    """Limits the first checks of this process, beside the workers of the run."""

    limit = 2
