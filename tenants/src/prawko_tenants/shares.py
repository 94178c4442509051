"""What a process has little of, shared among companies: one that asks for much delays itself."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from prawko_tenants.ids import TenantId

Holder = TenantId | None  # None: of no company


class CompanyShares:
    """At most `places` are taken at a time, and at most `each` of them by one company.

    Who finds none waits behind others of the same company, and the companies have their turns in a
    circle: a hundred requests of one company delay another by one of them, and not by a hundred.
    """

    def __init__(self, places: int, *, each: int) -> None:
        self._free = places
        self._each = each
        self._taken = Counter[Holder]()
        self._lines: OrderedDict[Holder, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def reserve(
        self, company: Holder, *, seconds: float | None = None
    ) -> AsyncGenerator[None]:
        """Wait for a place and keep it. Raises TimeoutError after so many `seconds`."""
        if self._has_place(company):  # else whoever waits would have taken it
            self._take(company)
        else:
            async with asyncio.timeout(seconds):
                await self._wait(company)
        try:
            yield
        finally:
            self._give_back(company)

    def _has_place(self, company: Holder) -> bool:
        return self._free > 0 and self._taken[company] < self._each

    def _take(self, company: Holder) -> None:
        self._free -= 1
        self._taken[company] += 1

    async def _wait(self, company: Holder) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(company, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the place was given to it in the same moment
                self._give_back(company)
            raise

    def _give_back(self, company: Holder) -> None:
        """Free the place, and pass it on to the next company that may have it."""
        self._free += 1
        self._taken[company] -= 1
        if not self._taken[company]:
            del self._taken[company]
        for waiting in [*self._lines]:
            if self._has_place(waiting) and self._pass_to(waiting):
                return

    def _pass_to(self, company: Holder) -> bool:
        """Give a place to the first of a company's line; False if nobody waits there any more."""
        line = self._lines.pop(company)
        while line:
            turn = line.popleft()
            if not turn.done():  # else it waited for too long
                self._take(company)
                turn.set_result(None)
                if line:
                    self._lines[company] = line  # at the end of the circle
                return True
        return False
