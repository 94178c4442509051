"""A semaphore that is fair to companies: many requests of one company delay only that company.

What shares the slots may be something else than a company: a network of sign-ins is one, too.
"""

import asyncio
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager

Company = Hashable  # None: a request without a company
MAX_WAIT_SECONDS = 30.0


class NoSlotError(TimeoutError):
    """No slot became free in time."""


class FairSemaphore:
    """Has `limit` slots; one company gets `per_company` of them at most.

    Requests that find no slot wait in a queue of their company, and the queues are served round
    robin: a hundred requests of one company delay another company by one of them.
    """

    def __init__(self, limit: int = sys.maxsize, *, per_company: int) -> None:
        self._free = limit
        self._per_company = per_company
        self._acquired = Counter[Company]()
        self._queues: OrderedDict[Company, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def slot(
        self, company: Company, *, seconds: float = MAX_WAIT_SECONDS
    ) -> AsyncGenerator[None]:
        """Acquire a slot, and release it at the end. Raises NoSlotError after `seconds`."""
        await self.acquire(company, seconds=seconds)
        try:
            yield
        finally:
            self.release(company)

    def count_waiting(self, company: Company) -> int:
        """Return how many requests of the company wait."""
        return len(self._queues.get(company, ()))

    async def acquire(self, company: Company, *, seconds: float = MAX_WAIT_SECONDS) -> None:
        """Wait for a slot. Raises NoSlotError after `seconds`."""
        if self._has_slot(company):  # a request that waits would have got it
            self._take_slot(company)
            return
        try:
            async with asyncio.timeout(seconds):
                await self._wait(company)
        except TimeoutError:
            raise NoSlotError from None

    def release(self, company: Company) -> None:
        """Free a slot of the company, and give it to the next request that may have it."""
        self._free += 1
        self._acquired[company] -= 1
        if not self._acquired[company]:
            del self._acquired[company]
        for waiting in [*self._queues]:
            if self._has_slot(waiting) and self._serve_queue(waiting):
                return

    def _has_slot(self, company: Company) -> bool:
        return self._free > 0 and self._acquired[company] < self._per_company

    def _take_slot(self, company: Company) -> None:
        self._free -= 1
        self._acquired[company] += 1

    async def _wait(self, company: Company) -> None:
        slot = asyncio.get_running_loop().create_future()
        self._queues.setdefault(company, deque()).append(slot)
        try:
            await slot
        except asyncio.CancelledError:
            if not slot.cancelled():  # the slot was given to it at the same moment
                self.release(company)
            raise

    def _serve_queue(self, company: Company) -> bool:
        """Give a slot to the first request of the queue; False if none waits any more."""
        queue = self._queues.pop(company)
        while queue:
            slot = queue.popleft()
            if not slot.done():  # else its request was cancelled
                self._take_slot(company)
                slot.set_result(None)
                if queue:
                    self._queues[company] = queue  # behind those of other companies
                return True
        return False
