"""The job queue of the tests."""

from collections.abc import Awaitable, Callable

from prawko.kit.work.queue import SaqQueue


class InterceptedQueue(SaqQueue):
    """The queue on Redis; while a test has set a handler, jobs go there instead."""

    handler: Callable[..., Awaitable[None]] | None = None

    async def enqueue(self, job, *args, **kwargs) -> None:
        await (self.handler or super().enqueue)(job, *args, **kwargs)
