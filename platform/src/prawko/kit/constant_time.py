"""Pads the time of an answer, so that it does not show how long the work took.

Where a call must answer alike whether or not an address is known, the work behind it differs
by a statement or two: the answer waits for the next multiple of a fixed interval.
"""

from asyncio import sleep
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

PADDING_INTERVAL_SECONDS = 0.25


def padding_seconds(elapsed: float) -> float:
    """Return the seconds from `elapsed` seconds to the next multiple of the interval."""
    return PADDING_INTERVAL_SECONDS - elapsed % PADDING_INTERVAL_SECONDS


@asynccontextmanager
async def padded_response() -> AsyncIterator[None]:
    """Delay the end of the block to a multiple of the interval, also when it raises."""
    started = monotonic()
    try:
        yield
    finally:
        await sleep(padding_seconds(monotonic() - started))
