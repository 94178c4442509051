"""The hard limit of a process: it ends when its event loop stands still, whatever holds it.

A computation or a library written in C may hold the interpreter, so that no Python code of ours
runs meanwhile. `faulthandler` has a thread of its own that needs no interpreter: it writes the
traceback and ends the process, unless the loop arms it anew in time. The supervisor of the process
(systemd, Docker, granian, the demo) starts it again.
"""

import asyncio
import faulthandler
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

from prawko.hooks.deadlines import HARD_LIMIT_SECONDS

TICK_SECONDS = 0.5


class HardLimit:
    """Ends this process when the running loop does not turn for HARD_LIMIT_SECONDS.

    The traceback goes to `file`, or to standard error. `on_tick`, which must be quick, is called at
    each tick.
    """

    def __init__(self, file: BinaryIO | None, on_tick: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._file = sys.stderr if file is None else file
        self._on_tick = on_tick
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Arm the limit; only the loop of the main thread does."""
        if threading.current_thread() is threading.main_thread():
            self._tick()

    def stop(self) -> None:
        """Disarm the limit."""
        if self._timer is not None:
            self._timer.cancel()
            faulthandler.cancel_dump_traceback_later()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(TICK_SECONDS, self._tick)  # also if arming it fails
        faulthandler.dump_traceback_later(HARD_LIMIT_SECONDS, exit=True, file=self._file)
        self._on_tick()
