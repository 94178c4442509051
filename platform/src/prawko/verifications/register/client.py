"""Queries the register concurrently, each query at its reserved slot; uses no database."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import date, datetime, timedelta

import msgspec

from prawko.base import logs
from prawko.base.clock import Clock, utc_now, warsaw_date
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    LicenceRegister,
    RegisterError,
    RegisterErrorKind,
)
from prawko.verifications.register.circuit_breaker import FAILURE_THRESHOLD
from prawko.verifications.register.rate_limit_policy import Reservation
from prawko_tenants.ids import DriverId, TenantId


class DriverQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A query about a version of a driver's document."""

    tenant_id: TenantId
    driver_id: DriverId
    document_version: int
    query: LicenceQuery


class CheckTask(DriverQuery, frozen=True, kw_only=True):
    """A leased check item of a run with the query to send.

    The lease is lost once the item's fence differs. `lease_until` is the system clock's: after it
    another worker may lease the item.
    """

    fence: int
    attempts: int
    lease_until: datetime


class SentQuery(DriverQuery, frozen=True, kw_only=True):
    """A query that was sent to the register.

    `asked_at` is the product clock's. `asked_at_system` is the same moment by the system clock,
    which is never moved: it decides which of two queries is the newer one.
    """

    asked_at: datetime
    asked_at_system: datetime = msgspec.field(default_factory=utc_now)

    @property
    def day(self) -> date:
        """Warsaw date of the query, by which expiry is decided."""
        return warsaw_date(self.asked_at)


class Answer(msgspec.Struct, frozen=True):
    """A task with the register's answer; `answer` is None if it has no such document."""

    task: CheckTask
    sent_query: SentQuery
    answer: LicenceAnswer | None


class Failure(msgspec.Struct, frozen=True):
    """A task without an answer: RegisterError, ProviderAccountError or a bug of the adapter."""

    task: CheckTask
    error: Exception

    @property
    def error_kind(self) -> str:
        """Name of the error for storage; never its message, which may contain personal data."""
        if isinstance(self.error, RegisterError):
            return self.error.kind.value
        return type(self.error).__name__


class Skipped(msgspec.Struct, frozen=True):
    """A task that was not sent, because the breaker opened or its lease is about to end."""

    task: CheckTask


TaskResult = Answer | Failure | Skipped


log = logs.get_logger(__name__)

# The adapter has a deadline itself; this one limits an adapter that does not keep to it.
TIMEOUT_FACTOR = 1.5


class RegisterClient:
    """Client of one register; at most `max_concurrency` queries are in flight."""

    def __init__(
        self, register: LicenceRegister, clock: Clock, *, deadline: float, max_concurrency: int
    ) -> None:
        self._register = register
        self._clock = clock
        self._deadline = deadline
        self._max_concurrency = max_concurrency

    async def query(self, query: LicenceQuery) -> LicenceAnswer | None:
        """Send one query. Raises RegisterError or ProviderAccountError; adapter bugs propagate.

        An answer with another licence number than the one queried is an invalid response.
        """
        try:
            async with asyncio.timeout(self._deadline * TIMEOUT_FACTOR):
                answer = await self._register.look_up(query)
        except TimeoutError:
            raise RegisterError(RegisterErrorKind.UNAVAILABLE, "no answer in time") from None
        if answer is not None and answer.number != query.number:
            raise RegisterError(
                RegisterErrorKind.INVALID_RESPONSE, "the answer has another licence number"
            )
        return answer

    async def query_all(
        self, tasks: Sequence[CheckTask], reservation: Reservation, *, interval: float
    ) -> AsyncGenerator[list[TaskResult], None]:
        """Send all queries at their slots and yield the results every `interval` seconds.

        After a 429, a rejected account or several time-outs in a row the rest is skipped.
        """
        breaker = _LocalBreaker()
        results: list[TaskResult] = []
        queue = iter(enumerate(tasks))

        async def work() -> None:
            for index, task in queue:
                results.append(await self._query_at(task, reservation.slot_time(index), breaker))

        worker_count = min(self._max_concurrency, len(tasks))
        workers = {asyncio.create_task(work()) for _ in range(worker_count)}
        running = workers
        try:
            while running:
                _, running = await asyncio.wait(running, timeout=interval)
                batch = results.copy()
                results.clear()
                if batch:
                    yield batch
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _query_at(
        self, task: CheckTask, at: datetime, breaker: "_LocalBreaker"
    ) -> TaskResult:
        delay = (at - utc_now()).total_seconds()
        if delay > 0:
            await asyncio.sleep(delay)
        # Later, another worker could lease the item before the result is written.
        too_late = task.lease_until - timedelta(seconds=self._deadline * TIMEOUT_FACTOR)
        if breaker.is_open or utc_now() > too_late:
            return Skipped(task)
        sent_query = SentQuery(
            tenant_id=task.tenant_id,
            driver_id=task.driver_id,
            document_version=task.document_version,
            query=task.query,
            asked_at=self._clock.now(),
        )
        try:
            answer = await self.query(task.query)
        except (RegisterError, ProviderAccountError) as error:
            breaker.record(error)
            return Failure(task, error)
        except Exception as error:  # a bug of an adapter is a failure like any other
            log.exception("register_adapter_failed", register=self._register.name)
            return Failure(task, error)
        breaker.consecutive_failures = 0
        return Answer(task, sent_query, answer)


class _LocalBreaker:
    """Circuit breaker of one batch; the rate limiter has that of all processes."""

    def __init__(self) -> None:
        self.is_open = False
        self.consecutive_failures = 0

    def record(self, error: RegisterError | ProviderAccountError) -> None:
        error_kind = error.kind if isinstance(error, RegisterError) else None
        if error_kind is RegisterErrorKind.UNAVAILABLE:
            self.consecutive_failures += 1
        if (
            error_kind in {None, RegisterErrorKind.RATE_LIMITED}
            or self.consecutive_failures >= FAILURE_THRESHOLD
        ):
            self.is_open = True
