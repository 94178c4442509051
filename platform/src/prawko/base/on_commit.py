"""Jobs that are enqueued after a transaction has been committed."""

from typing import ParamSpec

from prawko.base.context import Queue, QueuedJob

P = ParamSpec("P")


class OnCommit:
    """Collects jobs during a transaction; `flush` enqueues them after its commit."""

    def __init__(self) -> None:
        self._pending: list[tuple[QueuedJob[...], dict[str, object]]] = []

    def enqueue(self, job: QueuedJob[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Enqueue the job after the commit."""
        self._pending.append((job, dict(kwargs)))

    async def flush(self, queue: Queue) -> None:
        """Enqueue the collected jobs, equal ones once."""
        pending, self._pending = self._pending, []
        enqueued: list[tuple[QueuedJob[...], dict[str, object]]] = []
        for entry in pending:
            if entry not in enqueued:
                enqueued.append(entry)
                job, arguments = entry
                await queue.enqueue(job, **arguments)
