"""A watchdog of the event loop: interrupts a plugin that blocks it, and names it in the log.

A plugin that waits without `await` (`time.sleep`, a synchronous client) or computes stops
everything else in its process. A thread notices that the loop does not turn, finds the plugin on
the stack and has a signal raise PluginBlockedError within its call. What holds the interpreter
itself (a library in C) cannot be interrupted: then the worker's heartbeat stays away.
"""

import asyncio
import gc
import signal
import sys
import threading
from types import FrameType

from prawko.base.observability import logs
from prawko.base.plugins.calls import PluginBlockedError, find_plugin
from prawko.hooks.deadlines import BLOCK_SECONDS

log = logs.get_logger(__name__)

TICK_SECONDS = 0.25
# Counted in ticks of the watchdog, so that a process that was stopped as a whole does not count.
BLOCKED_TICKS = round(BLOCK_SECONDS / TICK_SECONDS)
# Ignored where nobody handles it; no library of ours uses it.
INTERRUPT = signal.SIGURG


class PluginWatchdog:
    """Watches the running loop of the main thread, from `start` to `stop`."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        # Of each number one thread is the only writer.
        self._asked = 0
        self._answered = 0
        self._ticks_without_answer = 0

    def start(self) -> None:
        """Start to watch; signals are for the main thread alone, and so is this."""
        if threading.current_thread() is not threading.main_thread():
            return
        signal.signal(INTERRUPT, self._interrupt)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._stopped.set()

    @property
    def _is_blocked(self) -> bool:
        return self._answered != self._asked and self._ticks_without_answer >= BLOCKED_TICKS

    @property
    def _blocked_seconds(self) -> float:
        return self._ticks_without_answer * TICK_SECONDS

    def _watch(self) -> None:
        while not self._stopped.wait(TICK_SECONDS):
            if self._answered == self._asked:
                self._ticks_without_answer = 0
                self._asked += 1
                try:
                    self._loop.call_soon_threadsafe(self._answer, self._asked)
                except RuntimeError:  # the loop is closed
                    return
                continue
            self._ticks_without_answer += 1
            if self._is_blocked and self._ticks_without_answer % BLOCKED_TICKS == 0:
                self._report()

    def _answer(self, number: int) -> None:
        self._answered = number

    def _report(self) -> None:
        """Log what blocks the loop, and interrupt it if that is a plugin."""
        main_thread = threading.main_thread().ident or 0
        found = find_plugin(_current_frame(main_thread))
        if found is None:
            log.warning("loop_blocked", seconds=self._blocked_seconds)
            return
        plugin, place = found
        log.critical(
            "plugin_blocks_process", plugin=plugin, at=place, seconds=self._blocked_seconds
        )
        signal.pthread_kill(main_thread, INTERRUPT)

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        """Raise within the plugin's call, unless it has ended meanwhile."""
        if self._is_blocked and find_plugin(frame) is not None:
            raise PluginBlockedError(f"for {self._blocked_seconds:g} s")


def _current_frame(thread: int) -> FrameType | None:
    """Return the frame that a thread is in.

    Python 3.11 keeps its list of threads locked meanwhile: a garbage collection that then destroys
    a `threading.local` would wait for that lock for ever, and with it the whole process.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return sys._current_frames().get(thread)  # noqa: SLF001
    finally:
        if was_enabled:
            gc.enable()
