"""Work that runs once at a time in a process: a slow provider must not occupy all of its slots."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

Work = Callable[[], Awaitable[int]]


class SingleFlights:
    """Runs work of the same key once at a time; what comes meanwhile makes it run once more."""

    def __init__(self) -> None:
        self._running: set[str] = set()
        self._requested: set[str] = set()

    async def run_all(self, works: Mapping[str, Work]) -> int:
        """Run the works of different keys at the same time; return the sum of their results."""
        return sum(await asyncio.gather(*(self.run(key, work) for key, work in works.items())))

    async def run(self, key: str, work: Work) -> int:
        """Return the sum of the work's results; 0 at once if it runs already."""
        self._requested.add(key)
        if key in self._running:
            return 0
        self._running.add(key)
        total = 0
        try:
            while key in self._requested:
                self._requested.discard(key)
                total += await work()
        finally:
            self._running.discard(key)
        return total
