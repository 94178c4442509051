"""Queries the register concurrently, each query at its reserved slot; uses no database."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import (
    HasCertificate,
    LicenceAnswer,
    LicenceQuery,
    LicenceRegister,
    RegisterError,
    RegisterErrorKind,
)
from prawko.kit.backoff import bounded_delay
from prawko.kit.clock import Clock, utc_now
from prawko.kit.observability import logs
from prawko.kit.observability.metrics import Histogram
from prawko.kit.observability.tracing import link_of, trace_span
from prawko.kit.providers.availability import LONGEST_PAUSE, unavailable_until
from prawko.kit.providers.calls import (
    PluginFaultError,
    PluginTimeoutError,
    PluginValueError,
    await_plugin,
    call_plugin,
    describe_error,
)
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.returned_values import validate_struct
from prawko.verifications.register.check_tasks import (
    AnsweredTask,
    CheckTask,
    FailedTask,
    SentQuery,
    SkippedTask,
    TaskResult,
)
from prawko.verifications.register.rate_limit_policy import (
    LimiterState,
    Reservation,
    transition_for,
)

log = logs.get_logger(__name__)

CALL_SECONDS = Histogram(
    "prawko_register_call_seconds",
    "Calls of a licence register by outcome, and how long they took.",
    ("register", "outcome"),
)

# The adapter has a deadline itself; this one limits an adapter that does not keep to it.
TIMEOUT_FACTOR = 1.5
LATEST_CERTIFICATE_END = datetime(9999, 1, 1, tzinfo=UTC)  # has a local time everywhere


class RegisterClient:
    """Client of one register; at most `max_concurrency` queries are in flight."""

    def __init__(
        self,
        register: LicenceRegister,
        plugin: PluginExperience,
        clock: Clock,
        *,
        deadline: float,
        max_concurrency: int,
    ) -> None:
        self._register = register
        self.plugin = plugin
        self._clock = clock
        self._deadline = deadline * TIMEOUT_FACTOR
        self._longest_query = timedelta(seconds=self._deadline)
        self._max_concurrency = max_concurrency

    async def query(self, query: LicenceQuery) -> LicenceAnswer | None:
        """Send one query. Raises RegisterError, ProviderAccountError; PluginCrashError for a bug.

        An answer with another licence number than the one queried is an invalid response.
        """
        began, outcome = time.perf_counter(), "adapter_failed"
        try:
            with trace_span("register look_up", register=self._register.name):
                answer = await self._query(query)
            outcome = "not_found" if answer is None else "found"
        except RegisterError as error:
            outcome = error.kind.value
            raise
        except ProviderAccountError:
            outcome = "account_rejected"
            raise
        else:
            return answer
        finally:
            CALL_SECONDS.observe(time.perf_counter() - began, self._register.name, outcome)

    async def _query(self, query: LicenceQuery) -> LicenceAnswer | None:
        try:
            return await await_plugin(
                self.plugin,
                partial(self._register.look_up, query),
                deadline=self._deadline,
                raises=(RegisterError, ProviderAccountError),
                read=partial(validate_answer, query=query),
            )
        except RegisterError as error:
            raise validate_error(error) from error
        except PluginTimeoutError as fault:
            raise RegisterError(RegisterErrorKind.UNAVAILABLE, "no answer in time") from fault
        except PluginValueError as fault:
            raise RegisterError(RegisterErrorKind.INVALID_RESPONSE, str(fault)) from fault

    @property
    def rests_after_block(self) -> bool:
        """Whether the plugin is not called now, because it blocked this process."""
        return self.plugin.rests_after_block_until() is not None

    async def query_all(
        self,
        tasks: Sequence[CheckTask],
        reservation: Reservation,
        *,
        interval: float,
        lease_end: Callable[[], datetime],
    ) -> AsyncGenerator[list[TaskResult], None]:
        """Send all queries at their slots and yield the results every `interval` seconds.

        A query that could outlast `lease_end()` is skipped. After a 429, a rejected account or
        several time-outs in a row the rest is skipped.
        """
        breaker = _BatchBreaker()
        results: list[TaskResult] = []
        queue = iter(enumerate(tasks))

        async def work() -> None:
            for index, task in queue:
                slot_time = reservation.slot_time(index)
                results.append(await self._query_at(task, slot_time, breaker, lease_end))

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
        self,
        task: CheckTask,
        at: datetime,
        breaker: "_BatchBreaker",
        lease_end: Callable[[], datetime],
    ) -> TaskResult:
        delay = (at - utc_now()).total_seconds()
        if delay > 0:
            await asyncio.sleep(delay)
        now = utc_now()
        # Later, another worker could lease the item before the result is written.
        can_end_in_time = now + self._longest_query <= lease_end()
        if breaker.is_open or self.rests_after_block or not can_end_in_time:
            return SkippedTask(task)
        sent_query = SentQuery(
            tenant_id=task.tenant_id,
            driver_id=task.driver_id,
            document_version=task.document_version,
            query=task.query,
            asked_at=self._clock.now(),
            asked_at_system=now,
        )
        link = None
        try:
            with trace_span("check item", driver_id=task.driver_id) as span:
                link = link_of(span)
                answer = await self.query(task.query)
        except (RegisterError, ProviderAccountError) as error:
            failure = FailedTask(task, error)
            breaker.record(failure)
            return failure
        except Exception as error:  # a bug of an adapter is a failure like any other
            log.exception("register_adapter_failed", register=self._register.name)
            return FailedTask(task, error)
        breaker.record_answer()
        return AnsweredTask(task, sent_query, answer, link)


class _BatchBreaker:
    """The availability of the access within one batch; once it is not open, the rest is skipped.

    The rate limiter has that of all processes.
    """

    def __init__(self) -> None:
        self.is_open = False
        self._closed = self._state = LimiterState(next_free_at=utc_now())

    def record_answer(self) -> None:
        self._state = self._closed

    def record(self, failure: FailedTask) -> None:
        transition = transition_for([failure.to_failed_call()], any_success=False)
        if transition is not None:
            now = utc_now()
            self._state = transition(self._state, now)
            self.is_open |= unavailable_until(self._state, now) is not None


def fault_of(error: BaseException) -> PluginFaultError | None:
    """The broken promise of the plugin behind an error of its register; None if there is none."""
    cause = error if isinstance(error, PluginFaultError) else error.__cause__
    return cause if isinstance(cause, PluginFaultError) else None


def validate_answer(answer: object, query: LicenceQuery) -> LicenceAnswer | None:
    """Return the answer; None is no such document.

    Raises PluginValueError, and RegisterError for an answer about another document.
    """
    if answer is None:
        return None
    checked = validate_struct(answer, LicenceAnswer)
    if checked.number != query.number:
        raise RegisterError(
            RegisterErrorKind.INVALID_RESPONSE, "the answer has another licence number"
        )
    return checked


def read_certificate_end(plugin: PluginExperience, register: HasCertificate) -> datetime:
    """Return when an access's certificate expires, in any zone. Raises PluginFaultError.

    X.509 says that one never expires by the last second of the year 9999.
    """

    def read() -> datetime:
        expires_at: object = register.certificate_expires_at()
        if type(expires_at) is not datetime or expires_at.utcoffset() is None:
            raise PluginValueError("certificate_expires_at returned no time with a zone")
        return min(expires_at, LATEST_CERTIFICATE_END).astimezone(UTC)

    return call_plugin(plugin, read)


def validate_error(error: RegisterError) -> RegisterError:
    """Return the error with a kind and a delay that can be relied on."""
    kind = getattr(error, "kind", None)
    delay = bounded_delay(getattr(error, "retry_after", None), longest=LONGEST_PAUSE)
    return RegisterError(
        kind if isinstance(kind, RegisterErrorKind) else RegisterErrorKind.INVALID_RESPONSE,
        describe_error(error),
        retry_after=None if delay is None else delay.total_seconds(),
    )
