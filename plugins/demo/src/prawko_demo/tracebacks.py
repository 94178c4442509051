"""Shows authors what their plugins raise: the whole traceback, in the terminal and under /dev.

The product's log has the class and the lines alone, because a message may quote personal data. The
demo's people are invented.
"""

import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import structlog

TRACEBACKS_FILE = "tracebacks.log"
POLL_SECONDS = 0.5
_KEPT_BYTES = 64 * 1024


def write_tracebacks(folder: str) -> None:
    """Append the traceback of each fault of a plugin that this process logs to a file."""
    file = Path(folder, TRACEBACKS_FILE)

    def write(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
        error = event.get("exc_info")
        if event.get("event") == "plugin_failed":
            error = sys.exception() if error is True else error
            if isinstance(error, BaseException):
                lines = "".join(traceback.format_exception(error))
                with file.open("a", encoding="utf-8") as output:
                    output.write(f"plugin {event.get('plugin')}: {event.get('reason')}\n{lines}\n")
        return event

    processors: list[Any] = structlog.get_config()["processors"]
    processors.insert(0, write)  # in place: loggers that exist have this list


class Tracebacks:
    """The last tracebacks of a demo."""

    def __init__(self, folder: str) -> None:
        self._file = Path(folder, TRACEBACKS_FILE)

    def read(self) -> str:
        """Return them, newest last."""
        content = self._file.read_bytes()[-_KEPT_BYTES:] if self._file.exists() else b""
        return content.decode(errors="replace")


class TracebackPrinter(threading.Thread):
    """Prints what is added to the file of tracebacks on standard error."""

    def __init__(self, folder: Path) -> None:
        super().__init__(name="tracebacks", daemon=True)
        self._file = folder / TRACEBACKS_FILE

    def run(self) -> None:
        self._file.touch()
        with self._file.open(encoding="utf-8", errors="replace") as lines:
            while True:
                if text := lines.read():
                    sys.stderr.write(text)
                    sys.stderr.flush()
                time.sleep(POLL_SECONDS)
