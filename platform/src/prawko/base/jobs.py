"""Jobs: work that leaves a request, and what a job is given to work with.

PostgreSQL holds what is to be done; the queue only rings, so a lost job costs a minute (the
reconciler rings again) and a doubled one costs nothing. A job may run twice.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, Protocol

import msgspec

from prawko.base.clock import Clock
from prawko.base.plugins import Plugins
from prawko.base.secrets import Vault
from prawko.base.settings import Settings
from prawko_tenants.engine import Database

P = ParamSpec("P")


class Stopping:
    """Said once, when the process was asked to end: long work stops taking more."""

    def __init__(self) -> None:
        self._said = False

    def say(self) -> None:
        self._said = True

    def __bool__(self) -> bool:
        return self._said


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a process has, made once while it starts; shared by its requests and jobs."""

    settings: Settings
    database: Database
    clock: Clock
    queue: "Queue"
    vault: Vault
    plugins: Plugins
    stopping: Stopping = field(default_factory=Stopping)


class Job(Generic[P]):
    """A named function of `Tools` and keyword arguments of plain types (ids, dates)."""

    def __init__(
        self,
        function: Callable[Concatenate[Tools, P], Awaitable[None]],
        *,
        timeout: int,
        retries: int,
    ) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.function = function
        self.timeout = timeout
        self.retries = retries
        fields = {n: t for n, t in function.__annotations__.items() if n not in {"tools", "return"}}
        self._arguments = msgspec.defstruct(
            function.__name__, list(fields.items()), forbid_unknown_fields=True
        )

    async def __call__(self, tools: Tools, *args: P.args, **kwargs: P.kwargs) -> None:
        """Run at once, in this process."""
        await self.function(tools, *args, **kwargs)

    async def run_payload(self, tools: Tools, payload: Mapping[str, Any]) -> None:
        """Run with arguments as they came through the queue."""
        arguments = msgspec.convert(payload, self._arguments, strict=False)
        await self.function(tools, **msgspec.structs.asdict(arguments))  # type: ignore[call-arg]


def job(
    *,
    timeout: int,
    retries: int = 3,
) -> Callable[[Callable[Concatenate[Tools, P], Awaitable[None]]], Job[P]]:
    """Make a job of a function. `timeout` is in seconds; `retries` counts all attempts."""

    def make(function: Callable[Concatenate[Tools, P], Awaitable[None]]) -> Job[P]:
        return Job(function, timeout=timeout, retries=retries)

    return make


class Queue(Protocol):
    """Rings for jobs."""

    async def put(self, job: Job[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Ring. Never raises and never waits long: what is to be done stands in PostgreSQL."""
        ...

    async def close(self) -> None:
        """Give back connections; the process is about to end."""
        ...
