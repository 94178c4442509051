"""Starts and measures databases and processes for the benchmarks."""

import base64
import hashlib
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

from prawko_embedded import EmbeddedServers, start_servers
from prawko_migrations import upgrade_database
from prawko_tenants.logins import Logins, provision_database

SECRET = base64.urlsafe_b64encode(hashlib.sha256(b"the benches").digest()).decode()
MEASUREMENT_PREFIX = b"measurement "


@contextmanager
def create_database() -> Iterator[tuple[EmbeddedServers, Logins]]:
    """Yield a migrated database on temporary servers."""
    home = Path(tempfile.mkdtemp(prefix="prawko-bench-"))
    with start_servers(home, durable=False) as servers:
        logins = provision_database(servers.urls.admin_url, database="bench")
        upgrade_database(logins.owner)
        yield servers, logins
    shutil.rmtree(home, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serve_asgi(target: str, environment: dict[str, str], *, factory: bool = False) -> Iterator[int]:
    """Run an ASGI application in a process, with the product's server; yield its port."""
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
def run_module(module: str, *arguments: object, environment: dict[str, str]) -> Iterator[int]:
    """Run a module in a process; yield its id once it prints `ready`, and kill it at the end."""
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
        threading.Thread(target=_forward_output, args=(process.stdout,), daemon=True).start()
        yield process.pid
    finally:
        process.kill()
        process.wait()


def _forward_output(lines: IO[bytes]) -> None:
    """Copy a process's further output to stderr, so that the pipe cannot fill."""
    for line in lines:
        sys.stderr.buffer.write(line)
        sys.stderr.flush()


class Measurement(msgspec.Struct, frozen=True):
    """Items per second, and this process's CPU time for each.

    Other load on the machine changes the first figure much and the second one little.
    """

    per_second: float
    cpu_microseconds: float


def run_measured(module: str, *arguments: object, environment: dict[str, str]) -> Measurement:
    """Run a module and return the measurement it prints among its log."""
    result = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
    )
    lines = [line for line in result.stdout.splitlines() if line.startswith(MEASUREMENT_PREFIX)]
    return msgspec.json.decode(lines[-1].removeprefix(MEASUREMENT_PREFIX), type=Measurement)


def print_measurement(count: int, seconds: float, cpu_seconds: float) -> None:
    """Print a measurement for `run_measured`, in the measured process."""
    measurement = Measurement(count / seconds, cpu_seconds / count * 1e6)
    print((MEASUREMENT_PREFIX + msgspec.json.encode(measurement)).decode(), flush=True)


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process."""
    cpu_times = psutil.Process(pid).cpu_times()
    return cpu_times.user + cpu_times.system


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"nothing listens on {port}")


def product_variables(servers: EmbeddedServers, logins: Logins) -> dict[str, str]:
    """Return the product's environment variables."""
    return {
        "DATABASE_URL": logins.app,
        "PLANNER_DATABASE_URL": logins.planner,
        "REDIS_URL": servers.urls.redis_url,
        "SECRET_KEY": SECRET,
        "LOG_LEVEL": "WARNING",
        "FRONTEND_DIR": "",
    }


def memory_mib(pid: int) -> float:
    """Return the resident memory of a process and its children."""
    root = psutil.Process(pid)
    return (
        sum(process.memory_info().rss for process in (root, *root.children(recursive=True))) / 2**20
    )


def http_get(url: str, cookie: str) -> bytes:
    request = urllib.request.Request(url, headers={"Cookie": cookie})
    with urllib.request.urlopen(request) as answer:
        return answer.read()
