"""Application context: the shared dependencies of a process."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from prawko.kit.clock import Clock, ClockGuard
from prawko.kit.crypto import KeyRing
from prawko.kit.providers.registry import Plugins
from prawko.kit.rate_limit import Throttle
from prawko.kit.settings import Settings
from prawko_tenants.engine import Database
from prawko_tenants.sessions import TenantAwareSession

P = ParamSpec("P")
ComponentT = TypeVar("ComponentT")


class ShutdownFlag:
    """Set when the process was asked to terminate."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        self._event.set()

    def __bool__(self) -> bool:
        return self._event.is_set()

    async def sleep_up_to(self, seconds: float) -> None:
        """Sleep so long, or until the process is asked to terminate."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()


class Components:
    """The objects of which a process has one.

    Handlers, by which lower domains use higher ones, are given at construction; a later one of a
    class replaces an earlier one. Caches and slots are created at first use.
    """

    def __init__(self, handlers: Iterable[object] = ()) -> None:
        self._instances: dict[type[Any], Any] = {type(handler): handler for handler in handlers}

    def get(self, component: type[ComponentT]) -> ComponentT:
        """Return the process's instance of a class.

        One that was not given is created without arguments. Raises TypeError for a handler.
        """
        if component not in self._instances:
            self._instances[component] = component()
        return cast(ComponentT, self._instances[component])


class QueuedJob(Protocol[P]):
    """A job as the queue sees it: a name, limits, and the arguments it takes.

    `timeout` is in seconds; `retries` counts all attempts.
    """

    @property
    def name(self) -> str: ...

    @property
    def timeout(self) -> int: ...

    @property
    def retries(self) -> int: ...

    async def __call__(self, context: "AppContext", *args: P.args, **kwargs: P.kwargs) -> None:
        """Run now, in this process."""
        ...


class Queue(Protocol):
    """Hands jobs to the workers."""

    async def enqueue(self, job: QueuedJob[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Enqueue a job with keyword arguments.

        Never raises and never blocks for long: the work itself is recorded in PostgreSQL.
        """
        ...

    async def is_available(self) -> bool:
        """Whether jobs that are enqueued now reach the workers."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, slots=True)
class _EnqueueJob:
    """Callback of a commit. Compares by job and arguments: a session runs equal ones once."""

    queue: Queue
    job: QueuedJob[Any]
    arguments: dict[str, object]

    async def __call__(self) -> None:
        await self.queue.enqueue(self.job, **self.arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """Dependencies of a process, created at its start; shared by its requests and jobs.

    `max_tries` replaces those of rate limits, by scope: in the demo and in tests.
    """

    settings: Settings
    database: Database
    clock: Clock
    queue: Queue
    key_ring: KeyRing
    plugins: Plugins
    shutdown: ShutdownFlag = field(default_factory=ShutdownFlag)
    components: Components = field(default_factory=Components)
    clock_guard: ClockGuard = field(default_factory=ClockGuard)
    max_tries: dict[str, int] = field(default_factory=dict)

    @property
    def throttle(self) -> Throttle:
        """What counts tries against the rate limits."""
        return Throttle(self.database, self.key_ring, self.max_tries)

    def must_stop(self) -> bool:
        """Whether work ends before its next batch: at a shutdown, or when the clock has jumped."""
        return bool(self.shutdown) or not self.clock_guard.is_trusted

    def enqueue_on_commit(
        self, session: TenantAwareSession, job: QueuedJob[P], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Enqueue the job once the session's transaction is committed; equal jobs once."""
        session.on_commit(_EnqueueJob(self.queue, job, dict(kwargs)))
