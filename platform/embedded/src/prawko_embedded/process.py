"""Child processes that end with this one, and the orphans of a crashed one."""

import contextlib
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec

from prawko_embedded.errors import EmbeddedError, EmbeddedUnavailableError

LAUNCHER = Path(__file__).with_name("launcher.py")
ORPHAN_TIMEOUT_SECONDS = 10.0  # after SIGINT, and again after SIGKILL
POLL_SECONDS = 0.01
# Title of PostgreSQL's child processes. SIGINT goes to their parent only: to some of them it means
# something else.
POSTGRES_CHILD_PREFIX = b"postgres: "


class OsAccount(msgspec.Struct, frozen=True):
    """The operating system's user that the servers run as."""

    uid: int
    gid: int


def choose_os_account(data_path: Path) -> OsAccount:
    """Return our own account, or under root the owner of the data, `prawko` or `nobody`.

    PostgreSQL refuses to run as root. A system user `prawko`, where there is one, is preferred to
    `nobody`, which other services may use. Raises EmbeddedUnavailableError.
    """
    if os.getuid() != 0:
        return OsAccount(os.getuid(), os.getgid())
    with contextlib.suppress(FileNotFoundError):
        owner = data_path.stat()
        if owner.st_uid != 0:
            return OsAccount(owner.st_uid, owner.st_gid)
    for name in ("prawko", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            return OsAccount(user.pw_uid, user.pw_gid)
    raise EmbeddedUnavailableError("root needs an unprivileged user named prawko or nobody")


def with_parent_death_signal(
    command: Sequence[str], *, death_signal: int, account: OsAccount | None = None
) -> list[str]:
    """Return a command line that executes `command` with a parent-death signal.

    The kernel sends the signal at the end of the *thread* that started the child, so it is left
    out outside the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        death_signal = 0
    uid, gid = (account.uid, account.gid) if account else (-1, -1)
    arguments = (os.getpid(), int(death_signal), uid, gid)
    return [sys.executable, "-I", "-S", str(LAUNCHER), *map(str, arguments), *command]


def launch_server(
    command: Sequence[str],
    *,
    account: OsAccount,
    pass_fds: Sequence[int],
    log: IO[bytes],
    stdin: int | IO[bytes] = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a server that inherits the descriptors `pass_fds` of its folders.

    It has a session of its own: Ctrl-C in the terminal reaches this process only, which lets its
    services finish before it stops the database.
    """
    return subprocess.Popen(  # noqa: S603  an executable of the wheels
        with_parent_death_signal(command, death_signal=signal.SIGINT, account=account),
        cwd="/",
        env=server_environment(),
        pass_fds=tuple(pass_fds),
        stdin=stdin,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )


def server_environment() -> Mapping[str, str]:
    """Return a minimal environment, so that the caller's PG* and LD_* variables have no effect."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def terminate_process(process: subprocess.Popen[bytes], *signals: tuple[int, float]) -> None:
    """Send each signal and wait so many seconds for the process to end; kill it at last."""
    for number, seconds in signals:
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return
    process.kill()
    process.wait()


def processes_with_tag(tag: str, program: str) -> dict[int, bytes]:
    """Return the command lines of running processes of `program` with this tag, by process id.

    The tag is in the command line because root can read that of other users in a container, too.
    """
    processes: dict[int, bytes] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").strip()
                if tag.encode() in line and program.encode() in line:
                    processes[int(entry.name)] = line
    processes.pop(os.getpid(), None)
    return processes


def terminate_orphans(tag: str, program: str) -> None:
    """End the servers that a killed process has left in this home; the caller has its lock.

    Usually they are ending already, by the parent-death signal, and are only waited for. Raises
    EmbeddedError for one that cannot be killed.
    """
    for number in (signal.SIGINT, signal.SIGKILL):
        for pid, line in processes_with_tag(tag, program).items():
            if number == signal.SIGKILL or not line.startswith(POSTGRES_CHILD_PREFIX):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
        until = time.monotonic() + ORPHAN_TIMEOUT_SECONDS
        while time.monotonic() < until:
            if not processes_with_tag(tag, program):
                return
            time.sleep(POLL_SECONDS)
    pids = ", ".join(map(str, processes_with_tag(tag, program)))
    raise EmbeddedError(f"A {program} of an earlier start cannot be ended: process {pids}.")
