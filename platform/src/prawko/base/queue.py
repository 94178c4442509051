"""Job queue on Redis, by SAQ, which only this module and the worker's loop know.

A job's arguments travel in one `payload`, so that none collides with SAQ's own fields.
"""

import asyncio
from typing import ParamSpec

import msgspec
import saq
from redis.asyncio import Redis
from redis.exceptions import RedisError
from saq.queue.redis import RedisQueue

from prawko.base import logs
from prawko.base.context import QueuedJob

P = ParamSpec("P")
log = logs.get_logger(__name__)

QUEUE_NAME = "prawko"
ENQUEUE_TIMEOUT_SECONDS = 2.0


class SaqQueue:
    """Job queue on Redis."""

    def __init__(self, redis_url: str) -> None:
        # SAQ's own Queue.from_url rejects unix://.
        self.redis: Redis = Redis.from_url(
            redis_url, socket_connect_timeout=ENQUEUE_TIMEOUT_SECONDS
        )
        self.saq = RedisQueue(self.redis, name=QUEUE_NAME)

    async def enqueue(self, job: QueuedJob[P], *args: P.args, **kwargs: P.kwargs) -> None:
        payload = msgspec.to_builtins(kwargs)
        saq_job = saq.Job(
            function=job.name,
            kwargs={"payload": payload},
            timeout=job.timeout,
            retries=job.retries,
            retry_delay=1.0,
            retry_backoff=30.0,
            ttl=60,
        )
        try:
            async with asyncio.timeout(ENQUEUE_TIMEOUT_SECONDS):
                await self.saq.enqueue(saq_job)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("enqueue_failed", job=job.name, reason=type(error).__name__)

    async def is_available(self) -> bool:
        """Whether Redis answers."""
        try:
            async with asyncio.timeout(ENQUEUE_TIMEOUT_SECONDS):
                await self.redis.get("ping")
        except (RedisError, OSError, TimeoutError):
            return False
        return True

    async def close(self) -> None:
        """Close the connections."""
        await self.saq.disconnect()


class RecordingQueue:
    """Records jobs without running them, for tests and for commands that do the work themselves."""

    def __init__(self) -> None:
        self.enqueued: list[tuple[str, dict[str, object]]] = []

    async def enqueue(self, job: QueuedJob[P], *args: P.args, **kwargs: P.kwargs) -> None:
        self.enqueued.append((job.name, dict(kwargs)))

    async def close(self) -> None:
        """Do nothing: there is no connection."""
