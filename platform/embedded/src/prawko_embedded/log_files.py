"""Log files of the servers and services in `<home>/logs`."""

import contextlib
from pathlib import Path
from typing import IO

MAX_LOG_BYTES = 10_000_000


def open_log(logs: Path, name: str) -> IO[bytes]:
    """Open `<name>.log` for appending; one above 10 MB is first renamed to `<name>.log.1`."""
    logs.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = logs / f"{name}.log"
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > MAX_LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
    return path.open("ab")


def read_log_tail(logs: Path, name: str, lines: int = 8) -> str:
    """Return the last lines of a log with a heading, for an error message."""
    path = logs / f"{name}.log"
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        text = ""
    return f"The end of {path}:\n  " + "\n  ".join(text.splitlines()[-lines:])
