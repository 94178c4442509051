"""The register simulator beside the supervisor, in the demo's first process.

It makes its authority at every start, and is told its documents anew: as a process of its own, a
crash of it would leave panel and worker with certificates that nobody signed any more.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prawko_demo import background
from prawko_demo.register import RunningRegister, running_register

START_SECONDS = 20.0


@contextmanager
def simulator(folder: Path) -> Iterator[RunningRegister]:
    """Serve the register until the block ends."""
    thread = _Simulator(folder)
    background.start(thread)
    try:
        yield thread.wait()
    finally:
        thread.stop()


class _Simulator(threading.Thread):
    def __init__(self, folder: Path) -> None:
        super().__init__(name="register", daemon=True)
        self._folder = folder
        self._serving = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end = asyncio.Event()
        self._register: RunningRegister | None = None
        self._failure: BaseException | None = None

    def run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 (told to whoever waits)
            self._failure = error
            self._serving.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with running_register(self._folder) as register:
            self._register = register
            self._serving.set()
            await self._end.wait()

    def wait(self) -> RunningRegister:
        """The register as soon as it serves."""
        self._serving.wait(START_SECONDS)
        if self._register is None:
            raise RuntimeError("the register simulator did not start") from self._failure
        return self._register

    def stop(self) -> None:
        if self._loop is not None and self.is_alive():
            self._loop.call_soon_threadsafe(self._end.set)
            self.join(START_SECONDS)
