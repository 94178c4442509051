"""A job queue without Redis: its owner runs the enqueued jobs in its own process."""

from typing import Any, ParamSpec

from prawko.kit.context import AppContext, QueuedJob

P = ParamSpec("P")


class InlineQueue:
    """Holds each job with the same arguments once, until `run_pending`."""

    def __init__(self) -> None:
        self._pending: list[tuple[QueuedJob[Any], dict[str, object]]] = []

    async def enqueue(self, job: QueuedJob[P], *_args: P.args, **kwargs: P.kwargs) -> None:
        entry = (job, dict(kwargs))
        if entry not in self._pending:
            self._pending.append(entry)

    async def run_pending(self, context: AppContext) -> None:
        """Run the enqueued jobs and those that they enqueue, until none is left."""
        while self._pending:
            job, arguments = self._pending.pop(0)
            await job(context, **arguments)

    async def is_available(self) -> bool:
        """Return True: there is no server that could be away."""
        return True

    async def close(self) -> None:
        """Do nothing: there is no connection."""
