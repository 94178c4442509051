"""Starts and stops the two servers of a home."""

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import msgspec

from prawko_embedded.binaries import find_binaries, locate_wheels
from prawko_embedded.home import Home
from prawko_embedded.postgres_server import PostgresServer
from prawko_embedded.process import terminate_orphans
from prawko_embedded.redis_server import RedisServer


class ServerUrls(msgspec.Struct, frozen=True):
    """URLs of the servers, passwords included.

    `admin_url` is of PostgreSQL's superuser (`postgresql://…?host=/the/socket/folder`), for
    asyncpg, and for SQLAlchemy with the scheme `postgresql+asyncpg`. `redis_url` (`unix://…`) is
    for redis-py; `saq.Queue.from_url` does not accept it.
    """

    admin_url: str
    redis_url: str


class EmbeddedServers:
    """The running servers of one home; a context manager that stops them."""

    def __init__(self, home: Home, *, durable: bool, scripts: Sequence[str] = ()) -> None:
        self.home = home
        self._cleanup = contextlib.ExitStack()
        with contextlib.ExitStack() as undo:
            undo.callback(home.close)
            binaries = find_binaries(home.account)
            self._postgres = PostgresServer(home, binaries, durable=durable)
            self._redis = RedisServer(home, binaries, scripts)
            undo.callback(self._postgres.stop)
            undo.callback(self._redis.stop)
            self._redis.start()
            self._postgres.start()
            self._redis.wait_until_ready()
            self._postgres.wait_until_ready()
            self._cleanup = undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def urls(self) -> ServerUrls:
        return ServerUrls(self._postgres.url, self._redis.url)

    @property
    def postgres_pid(self) -> int:
        return self._postgres.pid

    @property
    def redis_pid(self) -> int:
        return self._redis.pid

    def stop(self) -> None:
        """Stop both, with a checkpoint of PostgreSQL; a second call does nothing."""
        self._cleanup.close()

    def restart_postgres(self, *, immediate: bool = False) -> None:
        """Stop PostgreSQL, `immediate` without a checkpoint, and start it; it may have died."""
        self._postgres.stop(immediate=immediate)
        self._postgres.start()
        self._postgres.wait_until_ready()

    def restart_redis(self) -> None:
        """Stop Redis, which loses all its data, and start it; it may have died."""
        self._redis.stop()
        self._redis.start()
        self._redis.wait_until_ready()

    def restart_dead(self) -> list[str]:
        """Restart the servers that have died, and return their names."""
        restarted: list[str] = []
        if not self._redis.is_running:
            self.restart_redis()
            restarted.append(self._redis.name)
        if not self._postgres.is_running:
            self.restart_postgres()
            restarted.append(self._postgres.name)
        return restarted


def start_servers(
    home: Path, *, durable: bool = True, scripts: Sequence[str] = ()
) -> EmbeddedServers:
    """Start both servers with their data in `home`, creating what is missing; blocks.

    To be called in the main thread: started in another one, the servers outlive a crash of this
    process until the next start. `durable=False` is for tests: faster, but a crash of the machine
    may corrupt the data. `scripts` are the only Lua that Redis then runs; without them it runs any.

    Raises EmbeddedUnavailableError (this machine cannot run them), HomeInUseError, EmbeddedError.
    """
    locate_wheels()  # before anything is created in the home
    return EmbeddedServers(Home(home), durable=durable, scripts=scripts)


def erase_home(home: Path) -> None:
    """Remove the data, passwords and logs of a home.

    Raises HomeInUseError while another process uses it.
    """
    if not home.exists():
        return
    with Home(home) as locked:
        for program in ("postgres", "redis-server"):
            terminate_orphans(locked.process_tag, program)
        for name in ("postgres", "postgres.new", "logs"):
            shutil.rmtree(locked.path / name, ignore_errors=True)
        (locked.path / "passwords.json").unlink(missing_ok=True)
