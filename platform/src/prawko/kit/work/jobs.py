"""Background jobs.

The work to do is recorded in PostgreSQL; a job only starts it. A job may run twice, and a lost
one is made up for by the scheduler.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Concatenate, Generic, ParamSpec

import msgspec

from prawko.kit.context import AppContext
from prawko.kit.observability.request_ids import request_id_bound

P = ParamSpec("P")


class Job(Generic[P]):
    """A function of `AppContext` and keyword arguments of simple types (ids, dates).

    `timeout` is in seconds; `retries` counts all attempts.
    """

    def __init__(
        self,
        function: Callable[Concatenate[AppContext, P], Awaitable[None]],
        *,
        timeout: int,
        retries: int,
    ) -> None:
        self.name = function.__name__  # without its module: a queued job survives a move
        self.function = function
        self.timeout = timeout
        self.retries = retries
        fields = {
            n: t for n, t in function.__annotations__.items() if n not in {"context", "return"}
        }
        self._payload_type = msgspec.defstruct(
            function.__name__, list(fields.items()), forbid_unknown_fields=True
        )

    async def __call__(self, context: AppContext, *args: P.args, **kwargs: P.kwargs) -> None:
        """Run now, in this process."""
        with request_id_bound():
            await self.function(context, *args, **kwargs)

    async def run_payload(self, context: AppContext, payload: Mapping[str, Any]) -> None:
        """Run with arguments from the queue. Raises msgspec.ValidationError for unknown ones."""
        arguments = msgspec.convert(payload, self._payload_type, strict=False)
        with request_id_bound():
            await self.function(context, **msgspec.structs.asdict(arguments))  # type: ignore[call-arg]


def job(
    *,
    timeout: int,
    retries: int = 3,
) -> Callable[[Callable[Concatenate[AppContext, P], Awaitable[None]]], Job[P]]:
    """Return a decorator that makes a function a job."""

    def decorate(function: Callable[Concatenate[AppContext, P], Awaitable[None]]) -> Job[P]:
        return Job(function, timeout=timeout, retries=retries)

    return decorate
