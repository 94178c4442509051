"""The embedded servers in another process, to be killed or to run as an ordinary user.

As a script, `embedded.py HOME [--ordinary]` starts the servers, prints their URLs and process ids
as a line of JSON, and stops them when its standard input ends.
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

from prawko_embedded import EmbeddedError, start_servers

ORDINARY_USER = "daemon"  # another user than the servers' account under root
CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522
PR_SET_KEEPCAPS = 8
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2


class EmbeddedProcess:
    """A process that runs this module as a script."""

    def __init__(self, home, *, ordinary=False, wait=True):
        command = [sys.executable, __file__, str(home), *(["--ordinary"] if ordinary else [])]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(home)},
        )
        self.info = self._read_info() if wait else {}

    @property
    def pid(self):
        return self._process.pid

    def _read_info(self):
        line = self._process.stdout.readline()
        assert line.startswith("{"), line + self._process.stdout.read()
        return json.loads(line)

    def kill(self):
        """Kill the process, so that it cannot stop its servers."""
        self._process.kill()
        self._wait()

    def stop(self):
        """Stop the process; return the exit code."""
        return self._wait()

    def _wait(self):
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        code = self._process.wait(30)
        self._process.stdout.close()
        return code


def run_sql(url, *statements):
    """Run statements; return the first value of the last one."""

    async def run():
        connection = await asyncpg.connect(url)
        try:
            for statement in statements[:-1]:
                await connection.execute(statement)
            return await connection.fetchval(statements[-1])
        finally:
            await connection.close()

    return asyncio.run(run())


def wait_until_ended(pid, *, within=10.0):
    """Wait for the end of a process; return whether it ended in time. A zombie has ended."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state[0] in {"Z", "X"}:
            return True
        time.sleep(0.01)
    return False


def make_home(home):
    """Create a home with an empty database; its servers are stopped."""
    start_servers(home, durable=False).stop()
    return home


def copy_home(original, home):
    """Copy a home, which is faster than creating one."""
    subprocess.run(["/bin/cp", "-a", str(original), str(home)], check=True)
    return home


@contextlib.contextmanager
def shared_folder():
    """Yield a folder that an ordinary user can reach and write to."""
    with tempfile.TemporaryDirectory() as folder:
        if os.getuid() == 0:
            user = pwd.getpwnam(ORDINARY_USER)
            os.chown(folder, user.pw_uid, user.pw_gid)
        yield Path(folder)


def drop_privileges():
    """Switch from root to an ordinary user; do nothing for other users.

    Where only root can reach the interpreter, the capability to enter closed folders is kept: a
    real ordinary user would have another interpreter.
    """
    if os.getuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    user = pwd.getpwnam(ORDINARY_USER)
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    if os.access(sys.executable, os.X_OK):
        assert libc.capset(header, (ctypes.c_uint32 * 6)()) == 0
        return
    for capability in (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE):  # containers may lack the first
        sets = (ctypes.c_uint32 * 6)(*[1 << capability] * 3)
        if libc.capset(header, sets) == 0:
            assert libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) == 0
            return
    raise AssertionError("no capability to reach the interpreter")


def main(home, *, ordinary):
    if ordinary:
        drop_privileges()
    try:
        running = start_servers(Path(home), durable=False)
    except EmbeddedError as error:
        sys.exit(str(error))
    with running:
        info = {
            "uid": os.getuid(),
            "admin_url": running.urls.admin_url,
            "redis_url": running.urls.redis_url,
            "postgres": running.postgres_pid,
            "redis": running.redis_pid,
        }
        sys.stdout.write(f"{json.dumps(info)}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    main(sys.argv[1], ordinary="--ordinary" in sys.argv)
