"""Runs the register simulator in a thread of the demo's first process.

Its certificate authority is new at every start. As a process of its own it could crash and be
restarted while the panel and the worker still use certificates of the previous authority.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prawko_demo import threads
from prawko_demo.register import RegisterSimulator, run_register_simulator

START_TIMEOUT_SECONDS = 20.0


@contextmanager
def run_simulator_thread(folder: Path) -> Iterator[RegisterSimulator]:
    """Serve the register until the block ends."""
    thread = _SimulatorThread(folder)
    threads.start_thread(thread)
    try:
        yield thread.wait_until_serving()
    finally:
        thread.stop()


class _SimulatorThread(threading.Thread):
    def __init__(self, folder: Path) -> None:
        super().__init__(name="register", daemon=True)
        self._folder = folder
        self._serving = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_requested = asyncio.Event()
        self._register: RegisterSimulator | None = None
        self._failure: BaseException | None = None

    def run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 (raised by wait_until_serving)
            self._failure = error
            self._serving.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with run_register_simulator(self._folder) as register:
            self._register = register
            self._serving.set()
            await self._stop_requested.wait()

    def wait_until_serving(self) -> RegisterSimulator:
        """Wait until the simulator serves, and return it. Raises RuntimeError."""
        self._serving.wait(START_TIMEOUT_SECONDS)
        if self._register is None:
            raise RuntimeError("the register simulator did not start") from self._failure
        return self._register

    def stop(self) -> None:
        if self._loop is not None and self.is_alive():
            self._loop.call_soon_threadsafe(self._stop_requested.set)
            self.join(START_TIMEOUT_SECONDS)
