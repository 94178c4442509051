"""The sockets of this process: what a plugin leaves open after `close` shows here.

Where the system does not list them (anywhere but on Linux), none are found.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from time import monotonic

_FOLDER = Path("/proc/self/fd")
_SETTLE_SECONDS = 2.0  # the other side of a connection may be in this process, too


def open_sockets() -> set[str]:
    """Return the names of the open sockets, `socket:[inode]`."""
    if not _FOLDER.is_dir():
        return set()
    names = set()
    for entry in _FOLDER.iterdir():
        with suppress(OSError):  # the folder's own descriptor
            names.add(str(entry.readlink()))
    return {name for name in names if name.startswith("socket:")}


async def wait_until_closed(before: set[str]) -> set[str]:
    """Return the sockets that are still open after a moment and were not `before`."""
    until = monotonic() + _SETTLE_SECONDS
    while (left := open_sockets() - before) and monotonic() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    return left
