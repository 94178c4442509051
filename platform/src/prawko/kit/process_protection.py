"""What a process asks of Linux and of its allocator for itself.

It imports little, because short-lived processes use it.
"""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1  # of prctl(2), as the next one
PR_SET_DUMPABLE = 4
M_MMAP_THRESHOLD = -3  # of mallopt(3)
LARGE_BUFFER = 1024**2  # bytes

_libc = ctypes.CDLL(None)
_prctl = _libc.prctl


def end_with_parent() -> None:
    """Let SIGTERM end this process when its parent ends."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def hide_process() -> None:
    """Hide environment, memory and open files from other processes of the same user.

    They belong to root in /proc from now on, and no debugger may attach. A program that this
    process executes starts without it.
    """
    _prctl(PR_SET_DUMPABLE, 0)


def return_large_buffers() -> None:
    """Give the memory of each large buffer back to the system when it is freed.

    The allocator of glibc otherwise raises its own threshold with each buffer that is freed, keeps
    those below it, and a process that is sent many large bodies grows around the small objects
    between them. Other allocators have no such setting.
    """
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(M_MMAP_THRESHOLD, LARGE_BUFFER)


def read_content() -> bytes:
    """Return all of standard input, and hide this process before the content is used.

    By then the process that writes the input has set the limits of this one, by /proc.
    """
    content = sys.stdin.buffer.read()
    hide_process()
    return content
