"""Executes a program with a parent-death signal and, optionally, as another user.

    python -I -S launcher.py PARENT SIGNAL UID GID PROGRAM [ARGUMENT ...]

PARENT is the process id of the parent, SIGNAL what the kernel sends when it dies, UID and GID the
user to switch to (-1: no switch). Exits with 126 where the program cannot be executed.

It is a script of its own because Python's `preexec_fn` is unsafe in a process with threads. The
user is switched first, because a change of credentials clears the parent-death signal.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
EXIT_CANNOT_EXECUTE = 126


def main(parent: int, death_signal: int, uid: int, gid: int, command: list[str]) -> None:
    """Replace this process by `command`."""
    if uid >= 0 and os.getuid() == 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    libc = ctypes.CDLL(None, use_errno=True)
    if uid >= 0:
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if death_signal:
        libc.prctl(PR_SET_PDEATHSIG, death_signal)
        if os.getppid() != parent:  # it died before prctl was called
            sys.exit("the parent is gone")
    # A signal that Python or a shell's "&" ignores would stay ignored after the exec.
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execv(command[0], command)  # noqa: S606  the caller's own list, no shell


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
    except OSError as error:
        sys.stderr.write(f"{sys.argv[5]}: {error.strerror}\n")
        sys.exit(EXIT_CANNOT_EXECUTE)
