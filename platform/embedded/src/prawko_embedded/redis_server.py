"""The embedded Redis: carries the job queue only, so nothing is persisted."""

import contextlib
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from prawko_embedded.binaries import Binaries
from prawko_embedded.errors import EmbeddedError
from prawko_embedded.home import Home
from prawko_embedded.log_files import open_log, read_log_tail
from prawko_embedded.process import (
    POLL_SECONDS,
    launch_server,
    terminate_orphans,
    terminate_process,
)

REDIS_SOCKET = "redis.sock"
START_SECONDS = 10.0
# noeviction: a full Redis must refuse a job with an error, never drop one silently.
REDIS_SETTINGS = """
port 0
unixsocketperm 700
save ""
appendonly no
maxmemory 128mb
maxmemory-policy noeviction
loglevel warning
"""
# The wheel's server has known weaknesses, above all in its Lua. Clients therefore can run only the
# scripts of the queue, and no command that changes the server.
QUEUE_RULES = "~* &* +@all -@scripting -@dangerous +evalsha +info +config|get +flushall"
LOADER = "scripts"
LOADER_RULES = "+script|load"


class RedisServer:
    """The Redis server of one home. With `scripts`, clients can run these Lua scripts only."""

    name = "Redis"

    def __init__(self, home: Home, binaries: Binaries, scripts: Sequence[str] = ()) -> None:
        self._home = home
        self._binaries = binaries
        self._scripts = scripts
        self._loader_password = secrets.token_urlsafe(32)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL for redis-py (`redis.asyncio.Redis.from_url`)."""
        return f"unix://{self._socket}?password={self._home.passwords.redis}"

    @property
    def pid(self) -> int:
        if self._process is None:
            raise EmbeddedError("Redis is not running.")
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def _socket(self) -> Path:
        return self._home.socket_folder.path / REDIS_SOCKET

    def start(self) -> None:
        """Start the server; `wait_until_ready` waits until it answers."""
        terminate_orphans(self._home.process_tag, "redis-server")
        self._socket.unlink(missing_ok=True)
        socket_path = f"{self._home.socket_folder.path_for_server}/{REDIS_SOCKET}"
        settings = f"{REDIS_SETTINGS}unixsocket {socket_path}\n{self._access_settings()}"
        title = f"{{title}} {self._home.process_tag}"
        with open_log(self._home.logs_path, "redis") as log:
            self._process = launch_server(
                # Settings on standard input: other users can read a command line.
                [str(self._binaries.redis), "-", "--proc-title-template", title],
                account=self._home.account,
                pass_fds=(self._home.socket_folder.descriptor,),
                log=log,
                stdin=subprocess.PIPE,
            )
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self._process.stdin as stdin:
                stdin.write(settings.encode())

    def wait_until_ready(self) -> None:
        """Wait until the server answers. Raises EmbeddedError."""
        until = time.monotonic() + START_SECONDS
        while not self._is_ready():
            if not self.is_running or time.monotonic() > until:
                raise EmbeddedError(
                    f"Redis did not start. {read_log_tail(self._home.logs_path, 'redis')}"
                )
            time.sleep(POLL_SECONDS)
        if self._scripts:
            self._load_scripts()

    def stop(self) -> None:
        if self._process is not None:
            terminate_process(self._process, (signal.SIGTERM, 5.0))
            self._process = None

    def _access_settings(self) -> str:
        password = self._home.passwords.redis
        if not self._scripts:
            return f"requirepass {password}\n"
        return (
            f"user default on >{password} {QUEUE_RULES}\n"
            f"user {LOADER} on >{self._loader_password} {LOADER_RULES}\n"
        )

    def _load_scripts(self) -> None:
        """Load the scripts, which last until the server ends. Raises EmbeddedError."""
        with socket.socket(socket.AF_UNIX) as client, client.makefile("rb") as answers:
            client.settimeout(START_SECONDS)
            client.connect(str(self._socket))
            client.sendall(_encode("AUTH", LOADER, self._loader_password))
            for script in self._scripts:
                client.sendall(_encode("SCRIPT", "LOAD", script))
            if answers.readline() != b"+OK\r\n":
                raise EmbeddedError("Redis refused the login that loads the queue's scripts.")
            for _ in self._scripts:
                if not answers.readline().startswith(b"$"):  # the length of the digest
                    raise EmbeddedError("Redis refused a script of the queue.")
                answers.readline()

    def _is_ready(self) -> bool:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1.0)
            client.connect(str(self._socket))
            client.sendall(f"AUTH {self._home.passwords.redis}\r\nPING\r\n".encode())
            answer = b""
            while part := client.recv(64):
                answer += part
                if answer.endswith(b"+PONG\r\n"):
                    return True
        return False


def _encode(*words: str) -> bytes:
    """Return a command as the protocol has it."""
    parts = [f"${len(word.encode())}\r\n{word}\r\n" for word in words]
    return f"*{len(words)}\r\n{''.join(parts)}".encode()
