"""The slot of this process: a mapped file that names the plugin whose code runs at the moment.

A process may end within a call: by its hard limit, an `os._exit`, a crash, or the limit of its
memory. The file stays, and the next process of the same role reads it. A write is an assignment to
mapped memory, without a call of the system. The file is locked while its process lives.
"""

import fcntl
import mmap
import os
import struct
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec

from prawko.kit.clock import utc_now

# Byte 0 is the number of the plugin whose code runs, 0 for none. From byte 8 on stands the time of
# the last tick of the event loop, then the plugins' names by number. A traceback follows the slot.
SIZE = 4096
_TIME = struct.Struct("d")
_TIME_OFFSET = 8
_NAME_BYTES = 64
_MAX_PLUGINS = SIZE // _NAME_BYTES - 1
_MAX_TRACEBACK_BYTES = 64 * 1024
# Of ended processes, for those that count how often a plugin has ended one.
KEPT_SECONDS = 3600.0
_LIVE, _READ = ".call", ".ended"


class EndedProcess(msgspec.Struct, frozen=True):
    """A process that has ended out of order: the plugin whose code ran, "" for none, and when.

    `traceback` is not empty if the hard limit ended it. `is_new`: no process has reported it yet.
    """

    plugin: str
    ended_at: float
    traceback: str
    is_new: bool


class CallSlot:
    """The slot of this process, in plain memory until it is opened."""

    def __init__(self) -> None:
        self.view = memoryview(bytearray(SIZE))
        self._numbers: dict[str, int] = {}
        self.file: BinaryIO | None = None
        self._path: Path | None = None

    def number_of(self, plugin: str) -> int:
        """Return the number that a plugin has in the slot; 0 once there are too many."""
        number = self._numbers.get(plugin, len(self._numbers) + 1)
        if number > _MAX_PLUGINS:
            return 0
        if plugin not in self._numbers:
            self._numbers[plugin] = number
            name = plugin.encode()[:_NAME_BYTES]
            self.view[number * _NAME_BYTES :][: len(name)] = name
        return number

    def open(self, folder: Path, role: str) -> BinaryIO:
        """Map the slot to a new file; return the file, to which a traceback may be appended.

        Raises OSError if the folder cannot be used.
        """
        path = folder / f"{role}-{uuid4().hex}{_LIVE}"
        unlocked = path.with_suffix(".new")  # no other process reads it before it is locked
        file = unlocked.open("x+b", buffering=0)
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(bytes(self.view))
        unlocked.rename(path)
        self.view = memoryview(mmap.mmap(file.fileno(), SIZE))
        self._path, self.file = path, file
        self.note_tick()
        return file

    def note_tick(self) -> None:
        """Write the time."""
        _TIME.pack_into(self.view, _TIME_OFFSET, utc_now().timestamp())

    def close(self) -> None:
        """Remove the file, because the process ends in order."""
        if self._path is not None and self.file is not None:
            self.view = memoryview(bytearray(self.view))
            self._path.unlink(missing_ok=True)
            self.file.close()
            self._path = self.file = None


SLOT = CallSlot()


def find_folder(database_url: str) -> Path:
    """Return the folder of the slots, which outlives the process, and create it.

    It is systemd's RUNTIME_DIRECTORY, else one of this user and database in the folder for
    temporary files. Raises OSError.
    """
    if runtime := os.environ.get("RUNTIME_DIRECTORY"):
        return Path(runtime)
    parts = urlsplit(database_url)
    database = f"{parts.netloc.rpartition('@')[2]}{parts.path}?{parts.query}"
    digest = sha256(database.encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir(), f"prawko-{os.getuid()}-{digest}")
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{folder} may be written by another user")
    return folder


def read_ended(folder: Path, role: str) -> Iterator[EndedProcess]:
    """Yield the processes of a role that have ended out of order within KEPT_SECONDS.

    Those that ended outside a plugin's code, without a traceback, are left out and forgotten.
    """
    for path in sorted(folder.glob(f"{role}-*")):
        if path.suffix in {_LIVE, _READ} and (ended := _read(path)) is not None:
            is_kept = utc_now().timestamp() - ended.ended_at < KEPT_SECONDS
            if not (is_kept and ended.plugin):
                path.unlink(missing_ok=True)
            elif ended.is_new:
                with suppress(FileNotFoundError):  # another process has read it meanwhile
                    path.replace(path.with_suffix(_READ))
            if is_kept and (ended.plugin or ended.traceback):
                yield ended


def _read(path: Path) -> EndedProcess | None:
    """Return the process whose slot a file is; None for one that lives."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            content = file.read(SIZE + _MAX_TRACEBACK_BYTES)
    except (BlockingIOError, FileNotFoundError):
        return None
    if len(content) < SIZE:  # its process was killed while it wrote the file
        return EndedProcess("", 0.0, "", is_new=True)
    start = content[0] * _NAME_BYTES
    name = content[start : start + _NAME_BYTES] if 0 < start < SIZE else b""
    [ended_at] = _TIME.unpack_from(content, _TIME_OFFSET)
    return EndedProcess(
        plugin=name.rstrip(b"\0").decode(errors="replace"),
        ended_at=min(ended_at, utc_now().timestamp()),
        traceback=content[SIZE:].decode(errors="replace"),
        is_new=path.suffix == _LIVE,
    )
