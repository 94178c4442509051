"""Log output that cannot stop the process: a thread writes, and lines it has no room for are lost.

A reader of standard output that stalls (a full disk, a stopped collector) would otherwise block
the event loop at the next line, and with it every request and job.
"""

import json
import logging
import queue
import threading
from contextlib import suppress
from typing import TextIO

from prawko.kit.clock import utc_now
from prawko.kit.observability.metrics import Counter

MAX_LINES = 10_000
CLOSE_SECONDS = 2.0

LOST_LINES = Counter("prawko_log_lines_lost_total", "Log lines that nobody read in time.")


class BufferedLogHandler(logging.Handler):
    """Hands lines to a thread of its own. At most `max_lines` wait; further ones are counted.

    The number of the lost is a line of its own (`log_lines_lost`), once the reader reads again.
    """

    def __init__(self, stream: TextIO, max_lines: int = MAX_LINES) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(max_lines)
        self._lost = 0  # by the threads that log
        self._unwritten = 0  # by the thread that writes
        self._thread = threading.Thread(target=self._write_lines, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self._lost += 1
            LOST_LINES.add()

    def close(self) -> None:
        """Write what waits, for at most CLOSE_SECONDS."""
        try:
            self._lines.put(None, timeout=CLOSE_SECONDS)
        except queue.Full:
            pass
        else:
            self._thread.join(CLOSE_SECONDS)
        super().close()

    def _write_lines(self) -> None:
        reported = 0
        while (line := self._lines.get()) is not None:
            self._write(line)
            if lost := self._lost + self._unwritten - reported:
                reported += lost
                self._write(_describe_loss(lost))
        with suppress(OSError, ValueError):
            self._stream.flush()

    def _write(self, line: str) -> None:
        try:
            self._stream.write(f"{line}\n")
            if self._lines.empty():
                self._stream.flush()
        except (OSError, ValueError):  # the reader has ended, or the stream is closed
            self._unwritten += 1


def _describe_loss(lost: int) -> str:
    return json.dumps(
        {
            "event": "log_lines_lost",
            "lines": lost,
            "level": "error",
            "timestamp": utc_now().isoformat().replace("+00:00", "Z"),
        }
    )
