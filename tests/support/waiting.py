"""Waiting for what another task or process does."""

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

INTERVAL_SECONDS = 0.02


async def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
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


def poll(find: Callable[[], T], seconds: float = 60) -> T:
    """Return the first true result of `find`, without an event loop. Fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (result := find()):
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(INTERVAL_SECONDS)
    return result
