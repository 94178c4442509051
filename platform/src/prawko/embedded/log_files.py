"""The log files of the servers and services in `<home>/logs`."""

import contextlib
from pathlib import Path
from typing import IO

LARGEST = 10_000_000


def open_log(logs: Path, name: str) -> IO[bytes]:
    """Open `<name>.log` for appending; a large one becomes `<name>.log.1` first."""
    logs.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = logs / f"{name}.log"
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > LARGEST:
            path.replace(path.with_suffix(".log.1"))
    return path.open("ab")


def end_of_log(logs: Path, name: str, lines: int = 8) -> str:
    """The last lines of a log, for a person who is told that something did not start."""
    path = logs / f"{name}.log"
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        text = ""
    return f"The end of {path}:\n  " + "\n  ".join(text.splitlines()[-lines:])
