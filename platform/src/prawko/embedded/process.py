"""Child processes that die with this one, and those that a crash has left behind."""

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

from prawko.embedded.errors import EmbeddedError, EmbeddedUnavailable

LAUNCHER = Path(__file__).with_name("launch.py")
ORPHAN_SECONDS = 10.0  # for an orphan to end in peace, and again after it was killed
STEP = 0.01  # seconds between two looks at a process
# Child processes of PostgreSQL call themselves so; only their parent may be signalled, for to
# some of them an interrupt means something else.
POSTGRES_CHILD = b"postgres: "


class Account(msgspec.Struct, frozen=True):
    """The user the servers run as."""

    uid: int
    gid: int


def server_account(data: Path) -> Account:
    """Whom the servers run as: ourselves, or under root whoever owns the data, else `nobody`.

    PostgreSQL refuses to run as root. A system user `prawko`, where somebody made one, goes
    before `nobody`, whom other services may share.
    """
    if os.getuid() != 0:
        return Account(os.getuid(), os.getgid())
    with contextlib.suppress(FileNotFoundError):
        owner = data.stat()
        if owner.st_uid != 0:
            return Account(owner.st_uid, owner.st_gid)
    for name in ("prawko", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            return Account(user.pw_uid, user.pw_gid)
    raise EmbeddedUnavailable("root needs an unprivileged user named prawko or nobody")


def own_death_command(
    command: Sequence[str], *, death_signal: int, account: Account | None = None
) -> list[str]:
    """The command line that becomes `command` and gets `death_signal` when this process dies.

    The kernel counts the death of the *thread* that started the child, so outside the main
    thread the signal is left out.
    """
    if threading.current_thread() is not threading.main_thread():
        death_signal = 0
    uid, gid = (account.uid, account.gid) if account else (-1, -1)
    words = (os.getpid(), int(death_signal), uid, gid)
    return [sys.executable, "-I", "-S", str(LAUNCHER), *map(str, words), *command]


def launch(
    command: Sequence[str],
    *,
    account: Account,
    folders: Sequence[int],
    log: IO[bytes],
    stdin: int | IO[bytes] = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a server; `folders` are the descriptors it may reach its folders by.

    It gets a session of its own, so that Ctrl-C in the terminal reaches only us and the
    product can drain before its database goes.
    """
    return subprocess.Popen(  # noqa: S603  a program of the wheels
        own_death_command(command, death_signal=signal.SIGINT, account=account),
        cwd="/",
        env=server_environment(),
        pass_fds=tuple(folders),
        stdin=stdin,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )


def server_environment() -> Mapping[str, str]:
    """Nothing of ours: PG* and LD_* variables of the caller must not steer the servers."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def end(process: subprocess.Popen[bytes], *signals: tuple[int, float]) -> None:
    """Send each signal in turn until the process is gone, waiting so many seconds for it."""
    for number, seconds in signals:
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return
    process.kill()
    process.wait()


def tagged(tag: str, program: str) -> dict[int, bytes]:
    """Running processes of `program` that carry this home's tag: process id and command line.

    The command line is the one place that says so and that root may read in a container, too.
    """
    found: dict[int, bytes] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").strip()
                if tag.encode() in line and program.encode() in line:
                    found[int(entry.name)] = line
    found.pop(os.getpid(), None)
    return found


def end_orphans(tag: str, program: str) -> None:
    """End servers that a killed product has left in this home; the caller holds its lock.

    Usually they are already on their way out (they die with their parent) and are waited for.
    """
    for number in (signal.SIGINT, signal.SIGKILL):
        for pid, line in tagged(tag, program).items():
            if number == signal.SIGKILL or not line.startswith(POSTGRES_CHILD):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
        until = time.monotonic() + ORPHAN_SECONDS
        while time.monotonic() < until:
            if not tagged(tag, program):
                return
            time.sleep(STEP)
    left = ", ".join(map(str, tagged(tag, program)))
    raise EmbeddedError(f"A {program} of an earlier start cannot be ended: process {left}.")
