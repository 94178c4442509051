"""Answers that leave at a whole beat: how long the work took cannot be heard from outside.

Where a question about an address must be answered the same whether or not the address is known,
the work behind it differs by a statement or two. The answer waits for the next beat.
"""

from asyncio import sleep
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

BEAT_SECONDS = 0.25


def until_the_beat(spent: float) -> float:
    """Seconds left to the next whole beat after `spent` seconds of work."""
    return BEAT_SECONDS - spent % BEAT_SECONDS


@asynccontextmanager
async def on_the_beat() -> AsyncIterator[None]:
    """Hold back the end of the block, be it good or a refusal, to the next beat."""
    began = monotonic()
    try:
        yield
    finally:
        await sleep(until_the_beat(monotonic() - began))
