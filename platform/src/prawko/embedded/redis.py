"""The embedded Redis: a bell, so nothing of it is kept."""

import contextlib
import signal
import socket
import subprocess
import time
from pathlib import Path

from prawko.embedded.binaries import Binaries
from prawko.embedded.errors import EmbeddedError
from prawko.embedded.home import Home
from prawko.embedded.log_files import end_of_log, open_log
from prawko.embedded.process import STEP, end, end_orphans, launch

SOCKET_NAME = "redis.sock"
START_SECONDS = 10.0
# PostgreSQL keeps the facts; Redis full of rings must say so, never forget one silently.
SETTINGS = """
port 0
unixsocketperm 700
save ""
appendonly no
maxmemory 128mb
maxmemory-policy noeviction
loglevel warning
"""


class Redis:
    """One server on one home."""

    name = "Redis"

    def __init__(self, home: Home, binaries: Binaries) -> None:
        self._home = home
        self._binaries = binaries
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address as redis-py takes it (`redis.asyncio.Redis.from_url`)."""
        return f"unix://{self._socket}?password={self._home.passwords.redis}"

    @property
    def pid(self) -> int:
        if self._process is None:
            raise EmbeddedError("Redis is not running.")
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def _socket(self) -> Path:
        return self._home.run.path / SOCKET_NAME

    def launch(self) -> None:
        """Start the server; `wait` comes next."""
        end_orphans(self._home.tag, "redis-server")
        self._socket.unlink(missing_ok=True)
        settings = (
            f"{SETTINGS}unixsocket {self._home.run.inside}/{SOCKET_NAME}\n"
            f"requirepass {self._home.passwords.redis}\n"
        )
        title = f"{{title}} {self._home.tag}"
        with open_log(self._home.logs, "redis") as log:
            self._process = launch(
                # The settings come by standard input: a command line is no place for a password.
                [str(self._binaries.redis), "-", "--proc-title-template", title],
                account=self._home.account,
                folders=(self._home.run.descriptor,),
                log=log,
                stdin=subprocess.PIPE,
            )
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self._process.stdin as stdin:
                stdin.write(settings.encode())

    def wait(self) -> None:
        """Wait until the server answers."""
        until = time.monotonic() + START_SECONDS
        while not self._answers():
            if not self.alive or time.monotonic() > until:
                raise EmbeddedError(f"Redis did not start. {end_of_log(self._home.logs, 'redis')}")
            time.sleep(STEP)

    def stop(self) -> None:
        if self._process is not None:
            end(self._process, (signal.SIGTERM, 5.0))
            self._process = None

    def _answers(self) -> bool:
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
