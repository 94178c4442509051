"""The product's clock as the demo moves it: an offset in a file that all its processes follow."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from prawko.base.clock import UNMOVED

_MICROSECOND = timedelta(microseconds=1)


class FileClock:
    """A clock whose offset stands in a file; without the file it is the machine's.

    Every reading asks whether the file is still the same (microseconds), so that the panel
    and the worker are never at different times.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._version: tuple[int, int] | None = None
        self._offset = UNMOVED

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset()

    def offset(self) -> timedelta:
        try:
            found = self._path.stat()
            version = (found.st_ino, found.st_mtime_ns)
            if version != self._version:
                self._offset = int(self._path.read_text(encoding="ascii")) * _MICROSECOND
                self._version = version
        except FileNotFoundError:
            self._version, self._offset = None, UNMOVED
        return self._offset

    def move(self, to: datetime | None) -> None:
        """Go on from `to` (aware); None brings the machine's time back."""
        if to is None:
            self._path.unlink(missing_ok=True)
            return
        draft = self._path.with_suffix(f".{os.getpid()}")
        draft.write_text(str((to - datetime.now(UTC)) // _MICROSECOND), encoding="ascii")
        # The kernel counts in ticks: two moves within one, on a reused inode, would look the same.
        os.utime(draft, ns=(time.time_ns(), time.time_ns()))
        draft.replace(self._path)
