"""The queue on Redis. SAQ is known to this module and to the worker's loop alone.

Our arguments travel inside one `payload`, where none can collide with SAQ's own fields.
"""

import asyncio
from typing import ParamSpec

import msgspec
import saq
from redis.asyncio import Redis
from redis.exceptions import RedisError
from saq.queue.redis import RedisQueue

from prawko.base import logs
from prawko.base.jobs import Job

P = ParamSpec("P")
log = logs.logger(__name__)

QUEUE_NAME = "prawko"
RING_SECONDS = 2.0


class SaqQueue:
    """The queue on Redis."""

    def __init__(self, redis_url: str) -> None:
        # Queue.from_url of SAQ refuses unix://, the client does not.
        self.redis: Redis = Redis.from_url(redis_url, socket_connect_timeout=RING_SECONDS)
        self.saq = RedisQueue(self.redis, name=QUEUE_NAME)

    async def put(self, job: Job[P], *args: P.args, **kwargs: P.kwargs) -> None:
        payload = msgspec.to_builtins(kwargs)
        ring = saq.Job(
            function=job.name,
            kwargs={"payload": payload},
            timeout=job.timeout,
            retries=job.retries,
            retry_delay=1.0,
            retry_backoff=30.0,
            ttl=60,
        )
        try:
            async with asyncio.timeout(RING_SECONDS):
                await self.saq.enqueue(ring)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("ring_lost", job=job.name, reason=type(error).__name__)

    async def answers(self) -> bool:
        """Whether Redis is there."""
        try:
            async with asyncio.timeout(RING_SECONDS):
                await self.redis.get("ping")
        except (RedisError, OSError, TimeoutError):
            return False
        return True

    async def close(self) -> None:
        """Give back the connections."""
        await self.saq.disconnect()


class SilentQueue:
    """A queue that only notes the rings: for tests and for commands that do the work themselves."""

    def __init__(self) -> None:
        self.rings: list[tuple[str, dict[str, object]]] = []

    async def put(self, job: Job[P], *args: P.args, **kwargs: P.kwargs) -> None:
        self.rings.append((job.name, dict(kwargs)))

    async def close(self) -> None:
        """There is nothing to give back."""
