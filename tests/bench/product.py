"""A database with companies, and processes that serve it, for the benchmarks."""

import base64
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec
import psutil

from prawko.embedded import RunningServers, start
from prawko_migrations import upgrade
from prawko_tenants.logins import Logins, provision

SECRET = base64.urlsafe_b64encode(b"a secret of the benches, 32 byte").decode()


@contextmanager
def database() -> Iterator[tuple[RunningServers, Logins]]:
    """A migrated database on servers of its own, thrown away afterwards."""
    home = Path(tempfile.mkdtemp(prefix="prawko-bench-"))
    with start(home, durable=False) as servers:
        logins = provision(servers.servers.admin_url, database="bench")
        upgrade(logins.owner)
        yield servers, logins
    shutil.rmtree(home, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(target: str, environment: dict[str, str], *, factory: bool = False) -> Iterator[int]:
    """An ASGI application in a process of its own, under the same server as the product's."""
    port = free_port()
    code = (
        "from granian.server import Server\n"
        "from granian.constants import Interfaces, Loops\n"
        f"Server({target!r}, factory={factory}, address='127.0.0.1', port={port},"
        " interface=Interfaces.ASGI, loop=Loops.auto, workers=1, log_access=False,"
        " websockets=False).serve()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, **environment, "PORT": str(port)},
        stdout=sys.stderr,
        stderr=sys.stderr,
    )
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def running(module: str, *arguments: object, environment: dict[str, str]) -> Iterator[int]:
    """A module of ours in a process of its own, killed afterwards; yields its id.

    It says `ready` when it is.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
    )
    try:
        for line in process.stdout:
            if line == b"ready\n":
                break
            sys.stderr.buffer.write(line)
        else:
            raise RuntimeError(f"{module} did not start")
        threading.Thread(target=_pass_on, args=(process.stdout,), daemon=True).start()
        yield process.pid
    finally:
        process.kill()
        process.wait()


def _pass_on(lines: IO[bytes]) -> None:
    """What a process logs after it is ready: it must not fill the pipe, nor be lost."""
    for line in lines:
        sys.stderr.buffer.write(line)
        sys.stderr.flush()


class Spell(msgspec.Struct, frozen=True):
    """Work done: how many a second, and how long each kept this process's processor busy.

    The second figure hardly moves when others use the machine, the first one does.
    """

    per_second: float
    microseconds: float


def spell(module: str, *arguments: object, environment: dict[str, str]) -> Spell:
    """What a module says of its work; its log stands on the same stream."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
    )
    said = [line for line in done.stdout.splitlines() if line.startswith(b"spell ")]
    return msgspec.json.decode(said[-1].removeprefix(b"spell "), type=Spell)


def say(done: int, seconds: float, processor_seconds: float) -> None:
    """Say it, in the module's own process."""
    said = Spell(done / seconds, processor_seconds / done * 1e6)
    print("spell", msgspec.json.encode(said).decode(), flush=True)


def processor_seconds(pid: int) -> float:
    """How long a process has kept a processor busy."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"nothing listens on {port}")


def variables(servers: RunningServers, logins: Logins) -> dict[str, str]:
    """The product's own variables."""
    return {
        "DATABASE_URL": logins.app,
        "PLANNER_DATABASE_URL": logins.planner,
        "REDIS_URL": servers.servers.redis_url,
        "SECRET_KEY": SECRET,
        "LOG_LEVEL": "WARNING",
        "SITE": "",
    }


def memory_mib(pid: int) -> float:
    """Resident memory of a process and its children."""
    root = psutil.Process(pid)
    return sum(p.memory_info().rss for p in (root, *root.children(recursive=True))) / 2**20


def get(url: str, cookie: str) -> bytes:
    request = urllib.request.Request(url, headers={"Cookie": cookie})
    with urllib.request.urlopen(request) as answer:
        return answer.read()
