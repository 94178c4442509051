"""The slots of a channel: so many of its calls run at a time, and so many of one company."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from prawko.kit.outbox.models import Delivery

MAX_CONCURRENCY = 8
SLOW_SECONDS = 2.0


class SendSlots:
    """Has MAX_CONCURRENCY slots; a slow call passes its slot on, and still counts for its owner.

    So a carrier that answers slowly for the recipients of one company delays no other's messages.
    """

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(MAX_CONCURRENCY)
        self._in_progress = Counter[UUID]()
        self._slow = Counter[UUID]()
        self._held_back = set[UUID]()

    @property
    def has_slow_calls(self) -> bool:
        """Whether a call in progress has passed its slot on."""
        return self._slow.total() > 0

    @asynccontextmanager
    async def slot(self, row: Delivery) -> AsyncGenerator[bool]:
        """Wait for a slot; yield whether the message may be sent in it.

        If not, MAX_CONCURRENCY of its owner's calls are in progress, and some of them are slow.
        """
        owner = row.owner_id
        async with self._passing_on(owner):
            if self._in_progress[owner] >= MAX_CONCURRENCY:
                self._held_back.add(owner)
                yield False
                return
            self._in_progress[owner] += 1
            try:
                yield True
            finally:
                self._in_progress[owner] -= 1
                self._held_back.discard(owner)

    def owners_to_leave(self, *, is_ending: bool) -> Sequence[set[UUID]]:
        """Return whose messages a claim leaves, and whose the next one if that finds none.

        First those who have half of the slots or a slow call, so that the others come before their
        older messages; then those who may have no further call. At the end of a run, all who have
        a call.
        """
        if is_ending:
            return [{*(+self._in_progress)}]
        busy = {one for one, calls in self._in_progress.items() if calls >= MAX_CONCURRENCY // 2}
        busy |= {*(+self._slow)} | self._held_back
        return [busy, self._held_back] if busy > self._held_back else [busy]

    @asynccontextmanager
    async def _passing_on(self, owner: UUID) -> AsyncGenerator[None]:
        """Hold a slot, for SLOW_SECONDS at most."""
        await self._free.acquire()
        is_slow = False

        def pass_on() -> None:
            nonlocal is_slow
            is_slow = True
            self._slow[owner] += 1
            self._free.release()

        timer = asyncio.get_running_loop().call_later(SLOW_SECONDS, pass_on)
        try:
            yield
        finally:
            timer.cancel()
            if is_slow:
                self._slow[owner] -= 1
            else:
                self._free.release()
