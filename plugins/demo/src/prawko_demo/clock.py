"""The demo's clock: the system clock plus an offset in a file that all processes read."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from prawko.kit.clock import NO_OFFSET

_MICROSECOND = timedelta(microseconds=1)


class FileClock:
    """A clock with an offset from a file; without the file it is the system clock.

    Each reading checks whether the file has changed (which takes microseconds), so that the panel
    and the worker always have the same time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._version: tuple[int, int] | None = None
        self._offset = NO_OFFSET

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset()

    def offset(self) -> timedelta:
        try:
            status = self._path.stat()
            version = (status.st_ino, status.st_mtime_ns)
            if version != self._version:
                self._offset = int(self._path.read_text(encoding="ascii")) * _MICROSECOND
                self._version = version
        except FileNotFoundError:
            self._version, self._offset = None, NO_OFFSET
        return self._offset

    def set_time(self, instant: datetime | None) -> None:
        """Continue from `instant` (aware); None restores the system time."""
        if instant is None:
            self._path.unlink(missing_ok=True)
            return
        draft = self._path.with_suffix(f".{os.getpid()}")
        draft.write_text(str((instant - datetime.now(UTC)) // _MICROSECOND), encoding="ascii")
        # The kernel's file times have the resolution of a tick: two changes within one, on a reused
        # inode, would look like the same version.
        os.utime(draft, ns=(time.time_ns(), time.time_ns()))
        draft.replace(self._path)
