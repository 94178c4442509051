"""A product in a process of its own, to be killed, or started by an ordinary user.

As a script: `standin.py HOME [--ordinary]` starts the servers, tells about them in one line of
JSON, and stops them when its standard input ends.
"""

import asyncio
import contextlib
import ctypes
import json
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import asyncpg

from prawko.embedded import EmbeddedError, start

ORDINARY = "daemon"  # an ordinary user that is not the one root would choose
CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522
PR_SET_KEEPCAPS = 8
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2


class Product:
    """The script, seen from a test."""

    def __init__(self, home, *, ordinary=False, wait=True):
        words = [sys.executable, __file__, str(home), *(["--ordinary"] if ordinary else [])]
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(home)},
        )
        self.told = self._listen() if wait else {}

    def _listen(self):
        line = self._process.stdout.readline()
        assert line.startswith("{"), line + self._process.stdout.read()
        return json.loads(line)

    def kill(self):
        """`kill -9`, after which nothing of ours can tidy up."""
        self._process.kill()
        self._end()

    def stop(self):
        """Let it end; its exit code."""
        return self._end()

    def _end(self):
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        code = self._process.wait(30)
        self._process.stdout.close()
        return code


def sql(url, *statements):
    """Run the statements, and return the value of the last one."""

    async def run():
        connection = await asyncpg.connect(url)
        try:
            for statement in statements[:-1]:
                await connection.execute(statement)
            return await connection.fetchval(statements[-1])
        finally:
            await connection.close()

    return asyncio.run(run())


def gone(pid, *, within=10.0):
    """Whether the process ends in time; one that nobody has reaped yet has ended, too."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state[0] in {"Z", "X"}:
            return True
        time.sleep(0.01)
    return False


def make_home(home):
    """A home with an empty database, in which nothing runs."""
    start(home, durable=False).stop()
    return home


def copy_home(made, home):
    """A copy of such a home: faster than another one."""
    subprocess.run(["/bin/cp", "-a", str(made), str(home)], check=True)
    return home


@contextlib.contextmanager
def open_ground():
    """A folder whose parents everybody may enter, and an ordinary user may write to it."""
    with tempfile.TemporaryDirectory() as folder:
        if os.getuid() == 0:
            user = pwd.getpwnam(ORDINARY)
            os.chown(folder, user.pw_uid, user.pw_gid)
        yield Path(folder)


def become_ordinary():
    """Turn from root into an ordinary user, for good; whoever is none already stays.

    Where the interpreter lies below a folder of root's, the one thing kept is leave to pass
    closed folders: an ordinary user would have brought an interpreter of their own.
    """
    if os.getuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    user = pwd.getpwnam(ORDINARY)
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    if os.access(sys.executable, os.X_OK):
        assert libc.capset(header, (ctypes.c_uint32 * 6)()) == 0
        return
    for leave in (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE):  # a container's root lacks the first
        sets = (ctypes.c_uint32 * 6)(*[1 << leave] * 3)
        if libc.capset(header, sets) == 0:
            assert libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, leave, 0, 0) == 0
            return
    raise AssertionError("no leave to reach the interpreter")


def main(home, *, ordinary):
    if ordinary:
        become_ordinary()
    try:
        running = start(Path(home), durable=False)
    except EmbeddedError as error:
        sys.exit(str(error))
    with running:
        told = {
            "uid": os.getuid(),
            "admin_url": running.servers.admin_url,
            "redis_url": running.servers.redis_url,
            "postgres": running.postgres_pid,
            "redis": running.redis_pid,
        }
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    main(sys.argv[1], ordinary="--ordinary" in sys.argv)
