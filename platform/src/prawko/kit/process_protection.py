"""What a process asks of Linux for itself (prctl). Imports little: short-lived processes use it."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1  # of prctl(2), as the next one
PR_SET_DUMPABLE = 4

_prctl = ctypes.CDLL(None).prctl


def end_with_parent() -> None:
    """Let SIGTERM end this process when its parent ends."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def hide_process() -> None:
    """Hide environment, memory and open files from other processes of the same user.

    They belong to root in /proc from now on, and no debugger may attach. A program that this
    process executes starts without it.
    """
    _prctl(PR_SET_DUMPABLE, 0)


def read_content() -> bytes:
    """Return all of standard input, and hide this process before the content is used.

    By then the process that writes the input has set the limits of this one, by /proc.
    """
    content = sys.stdin.buffer.read()
    hide_process()
    return content
