"""Waiting for what another task or process does."""

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

INTERVAL_SECONDS = 0.02
DEADLINE_SECONDS = 180  # for a machine that is busy with other work


async def wait_until(condition: Callable[[], object], seconds: float = DEADLINE_SECONDS) -> None:
    """Return once the condition, a function or a coroutine function, holds.

    Fails after `seconds`.
    """
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if await result if inspect.isawaitable(result) else result:
            return
        assert time.monotonic() < deadline, f"not within {seconds} s"
        await asyncio.sleep(INTERVAL_SECONDS)


def poll(find: Callable[[], T], seconds: float = DEADLINE_SECONDS) -> T:
    """Return the first true result of `find`, without an event loop. Fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (result := find()):
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(INTERVAL_SECONDS)
    return result
