"""Application context: the shared dependencies of a process."""

from dataclasses import dataclass, field
from typing import ParamSpec, Protocol

from prawko.base.clock import Clock
from prawko.base.crypto import KeyRing
from prawko.base.plugins import Plugins
from prawko.base.settings import Settings
from prawko_tenants.engine import Database

P = ParamSpec("P")


class ShutdownFlag:
    """Set when the process was told to terminate; long-running work checks it."""

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        self._is_set = True

    def __bool__(self) -> bool:
        return self._is_set


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

    async def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """Dependencies of a process, created at its start; shared by its requests and jobs."""

    settings: Settings
    database: Database
    clock: Clock
    queue: Queue
    key_ring: KeyRing
    plugins: Plugins
    shutdown: ShutdownFlag = field(default_factory=ShutdownFlag)
