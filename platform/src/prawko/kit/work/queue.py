"""Job queue on Redis, by SAQ, which only this module and the worker's loop know.

A job's arguments travel in one `payload`, so that none collides with SAQ's own fields.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FunctionType
from typing import ParamSpec

import msgspec
import saq
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, RedisError
from saq.queue.redis import RedisQueue

from prawko.kit.context import QueuedJob
from prawko.kit.observability import logs
from prawko.kit.observability.request_ids import current_request_id
from prawko.kit.observability.tracing import TRACEPARENT, current_traceparent

P = ParamSpec("P")
log = logs.get_logger(__name__)

QUEUE_NAME = "prawko"
ENQUEUE_TIMEOUT_SECONDS = 2.0
# Of one command, also when the host has fallen silent: longer than a worker waits for a job.
RESPONSE_TIMEOUT_SECONDS = 10.0
REQUEST_ID = "request_id"  # of the request that enqueued a job, in the job's metadata


class SaqQueue:
    """Job queue on Redis."""

    def __init__(self, redis_url: str) -> None:
        # SAQ's own Queue.from_url rejects unix://.
        self.redis: Redis = Redis.from_url(
            redis_url,
            socket_connect_timeout=ENQUEUE_TIMEOUT_SECONDS,
            socket_timeout=RESPONSE_TIMEOUT_SECONDS,
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
            meta=_describe_origin(),
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

    async def is_refused(self) -> bool:
        """Whether Redis answers and refuses the login of its URL."""
        try:
            async with asyncio.timeout(ENQUEUE_TIMEOUT_SECONDS):
                await self.redis.get("ping")
        except AuthenticationError:
            return True
        except (RedisError, OSError, TimeoutError):
            return False
        return False

    async def close(self) -> None:
        """Close the connections. Without Redis, too: SAQ would connect to unsubscribe."""
        with suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(ENQUEUE_TIMEOUT_SECONDS):
                await self.saq.disconnect()
        await self.redis.aclose()


def list_queue_scripts() -> list[str]:
    """Return the Lua scripts that the queue runs, for a server that runs no other."""
    methods = (one for one in vars(RedisQueue).values() if isinstance(one, FunctionType))
    return [script for method in methods for script in _find_scripts(method.__code__)]


def _find_scripts(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, str) and "redis.call" in constant:
            yield constant
        elif isinstance(constant, CodeType):
            yield from _find_scripts(constant)


def _describe_origin() -> dict[str, str]:
    """Return what a job's log lines and spans belong to."""
    origin = {REQUEST_ID: current_request_id(), TRACEPARENT: current_traceparent()}
    return {name: value for name, value in origin.items() if value}


class RecordingQueue:
    """Records jobs without running them, for tests and for commands that do the work themselves."""

    def __init__(self) -> None:
        self.enqueued: list[tuple[str, dict[str, object]]] = []

    async def enqueue(self, job: QueuedJob[P], *args: P.args, **kwargs: P.kwargs) -> None:
        self.enqueued.append((job.name, dict(kwargs)))

    async def is_available(self) -> bool:
        """Return True: there is no server that could be away."""
        return True

    async def close(self) -> None:
        """Do nothing: there is no connection."""
