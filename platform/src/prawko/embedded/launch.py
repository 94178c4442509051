"""Becomes another program that dies with its parent; started as a script, never imported.

    python -I -S launch.py PARENT SIGNAL UID GID PROGRAM [ARGUMENT ...]

PARENT is the process that must be alive, SIGNAL what the kernel sends when it dies, UID and
GID (-1: stay) whom to become. This is a program of its own because Python's `preexec_fn` is
unsafe as soon as threads run. The user changes first: the kernel forgets the signal when the
credentials change.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
CANNOT_EXECUTE = 126


def main(parent: int, death_signal: int, uid: int, gid: int, command: list[str]) -> None:
    """Become `command`."""
    if uid >= 0 and os.getuid() == 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    libc = ctypes.CDLL(None, use_errno=True)
    if uid >= 0:
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if death_signal:
        libc.prctl(PR_SET_PDEATHSIG, death_signal)
        if os.getppid() != parent:  # it died before we could ask
            sys.exit("the parent is gone")
    # What Python or a shell's "&" has set to "ignore" would outlive the exec.
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execv(command[0], command)  # noqa: S606  the caller's own list, no shell


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
    except OSError as error:
        sys.stderr.write(f"{sys.argv[5]}: {error.strerror}\n")
        sys.exit(CANNOT_EXECUTE)
