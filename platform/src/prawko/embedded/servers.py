"""PostgreSQL and Redis that start and stop with the product."""

import contextlib
import shutil
from pathlib import Path
from typing import Self

import msgspec

from prawko.embedded.binaries import find, packages
from prawko.embedded.home import Home
from prawko.embedded.postgres import Postgres
from prawko.embedded.process import end_orphans
from prawko.embedded.redis import Redis


class Servers(msgspec.Struct, frozen=True):
    """Where the servers are; both addresses carry their password.

    `admin_url` is PostgreSQL's superuser (`postgresql://…?host=/the/socket/folder`), for asyncpg
    as it stands and for SQLAlchemy with `postgresql+asyncpg`. `redis_url` is `unix://…`, which
    redis-py takes and `saq.Queue.from_url` does not.
    """

    admin_url: str
    redis_url: str


class RunningServers:
    """The two servers of one home; a context manager that stops them."""

    def __init__(self, home: Home, *, durable: bool) -> None:
        self._home = home
        self._cleanup = contextlib.ExitStack()
        with contextlib.ExitStack() as undo:
            undo.callback(home.close)
            binaries = find(home.account)
            self._postgres = Postgres(home, binaries, durable=durable)
            self._redis = Redis(home, binaries)
            undo.callback(self._postgres.stop)
            undo.callback(self._redis.stop)
            self._redis.launch()
            self._postgres.launch()
            self._redis.wait()
            self._postgres.wait()
            self._cleanup = undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def servers(self) -> Servers:
        return Servers(self._postgres.url, self._redis.url)

    @property
    def postgres_pid(self) -> int:
        return self._postgres.pid

    @property
    def redis_pid(self) -> int:
        return self._redis.pid

    def stop(self) -> None:
        """Stop both, letting PostgreSQL finish its files; a second call does nothing."""
        self._cleanup.close()

    def restart_postgres(self, *, immediate: bool = False) -> None:
        """Stop and start PostgreSQL, `immediate` without letting it finish; it may be dead."""
        self._postgres.stop(immediate=immediate)
        self._postgres.launch()
        self._postgres.wait()

    def restart_redis(self) -> None:
        """Stop and start Redis, which forgets everything; it may be dead."""
        self._redis.stop()
        self._redis.launch()
        self._redis.wait()

    def revive(self) -> list[str]:
        """Start again whichever server has died, and return the names of those that had."""
        died: list[str] = []
        if not self._redis.alive:
            self.restart_redis()
            died.append(self._redis.name)
        if not self._postgres.alive:
            self.restart_postgres()
            died.append(self._postgres.name)
        return died


def start(home: Path, *, durable: bool = True) -> RunningServers:
    """Start both servers with their data in `home`, making what is missing; blocks.

    Call it in the main thread: a server dies with the thread that started it, so elsewhere it
    would outlive a crash of ours until the next start. `durable=False` is for tests: faster, and
    a crash of the machine may spoil the data.

    Raises EmbeddedUnavailable (this machine cannot run them), HomeInUseError, EmbeddedError.
    """
    packages()  # before anything is made in the home
    return RunningServers(Home(home), durable=durable)


def erase(home: Path) -> None:
    """Remove the data, passwords and logs of a home in which nothing runs.

    Raises HomeInUseError while something does.
    """
    if not home.exists():
        return
    with Home(home) as held:
        for program in ("postgres", "redis-server"):
            end_orphans(held.tag, program)
        for name in ("postgres", "postgres.new", "logs"):
            shutil.rmtree(held.path / name, ignore_errors=True)
        (held.path / "passwords.json").unlink(missing_ok=True)
