"""The embedded PostgreSQL: made, started, stopped."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from prawko.embedded.binaries import POSTGRES_MAJOR, Binaries
from prawko.embedded.errors import EmbeddedError
from prawko.embedded.home import SOCKET_NAME, Folder, Home
from prawko.embedded.log_files import end_of_log, open_log
from prawko.embedded.process import STEP, end, end_orphans, launch

SUPERUSER = "postgres"
PORT = 5432  # only a part of the socket's name: nothing listens on TCP
READY_LINE = 7  # of postmaster.pid
RECOVERY_SECONDS = 120.0  # a large log to replay after a crash
INITDB = (
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth=scram-sha-256",
    f"--username={SUPERUSER}",
    "--no-instructions",
)
# For a small machine that other programs share.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "max_connections": "100",
    "shared_buffers": "192MB",
    "effective_cache_size": "1GB",
    "work_mem": "8MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "1GB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "wal_compression": "on",
    "random_page_cost": "1.1",
    "io_workers": "2",
    "max_parallel_workers_per_gather": "1",
    "jit": "off",
    "huge_pages": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    # A statement or a detail ("Key (license_number)=…") would write drivers into the log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
# For tests: the machine may not crash, the server may. `synchronous_commit` stays on, or a killed
# server would lose what it has confirmed; without fsync it costs next to nothing.
FORGETFUL = {"fsync": "off", "full_page_writes": "off"}


class Postgres:
    """One server on one home."""

    name = "PostgreSQL"

    def __init__(self, home: Home, binaries: Binaries, *, durable: bool) -> None:
        self._home = home
        self._binaries = binaries
        self._durable = durable
        self._data: Folder | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The superuser's address; asyncpg takes it, and SQLAlchemy with its own scheme."""
        password = self._home.passwords.postgres
        folder = self._home.run.path
        return f"postgresql://{SUPERUSER}:{password}@/postgres?host={folder}&port={PORT}"

    @property
    def pid(self) -> int:
        if self._process is None:
            raise EmbeddedError("PostgreSQL is not running.")
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def launch(self) -> None:
        """Start the server, making the database first where there is none; `wait` comes next."""
        end_orphans(self._home.tag, "postgres")
        if not self._home.data.exists():
            self._create()
        self._check_version()
        self._data = Folder(self._home.data, self._home.account)
        self._remove_leftovers()
        settings = SETTINGS | ({} if self._durable else FORGETFUL)
        settings |= {
            "unix_socket_directories": self._home.run.inside,
            "cluster_name": self._home.tag,  # stands in the title of every process of the server
        }
        with open_log(self._home.logs, "postgres") as log:
            self._process = launch(
                [
                    str(self._binaries.postgres),
                    "-D",
                    self._data.inside,
                    *(f"--{name}={value}" for name, value in settings.items()),
                ],
                account=self._home.account,
                folders=(self._data.descriptor, self._home.run.descriptor),
                log=log,
            )

    def wait(self) -> None:
        """Wait until the server takes connections."""
        until = time.monotonic() + RECOVERY_SECONDS
        while not self._ready():
            if not self.alive or time.monotonic() > until:
                raise EmbeddedError(self._did_not_start("postgres"))
            time.sleep(STEP)

    def stop(self, *, immediate: bool = False) -> None:
        """Stop the server; `immediate` as a crash would: the next start has to recover."""
        if self._process is not None:
            fast = () if immediate else ((signal.SIGINT, 30.0),)
            end(self._process, *fast, (signal.SIGQUIT, 5.0))
            self._process = None
        if self._data is not None:
            self._data.close()
            self._data = None

    def _create(self) -> None:
        """Make the database beside its place and move it there: it is whole or not there."""
        draft = self._home.path / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)
        secret = self._home.run.path / "password"
        folder = Folder(draft, self._home.account)
        try:
            secret.write_text(self._home.passwords.postgres, encoding="ascii")
            secret.chmod(0o600)
            os.chown(secret, self._home.account.uid, self._home.account.gid)
            with open_log(self._home.logs, "initdb") as log:
                made = launch(
                    [
                        str(self._binaries.initdb),
                        f"--pgdata={folder.inside}",
                        f"--pwfile={self._home.run.inside}/password",
                        *INITDB,
                        *(() if self._durable else ("--no-sync",)),
                    ],
                    account=self._home.account,
                    folders=(folder.descriptor, self._home.run.descriptor),
                    log=log,
                )
                try:
                    code = made.wait()
                except BaseException:
                    made.kill()
                    made.wait()
                    raise
            if code:
                raise EmbeddedError(self._did_not_start("initdb"))
        finally:
            folder.close()
            secret.unlink(missing_ok=True)
        draft.rename(self._home.data)

    def _check_version(self) -> None:
        try:
            version = (self._home.data / "PG_VERSION").read_text(encoding="ascii").strip()
        except OSError as error:
            raise EmbeddedError(
                f"{self._home.data} is not a database we may open: {error.strerror}."
            ) from None
        if version != POSTGRES_MAJOR:
            raise EmbeddedError(
                f"{self._home.data} was made by PostgreSQL {version}, and {POSTGRES_MAJOR} is "
                "installed: dump it with the old one, or choose another home."
            )

    def _remove_leftovers(self) -> None:
        """Remove what a crash left and a reused process id would turn into "already running".

        `postmaster.pid` stays where its process is gone: it leads the server to the shared
        memory of its predecessor.
        """
        for name in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
            (self._home.run.path / name).unlink(missing_ok=True)
        pid_file = self._home.data / "postmaster.pid"
        with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
            pid = int(pid_file.read_text(encoding="utf-8").splitlines()[0])
            if Path("/proc", str(pid)).exists():
                pid_file.unlink()

    def _ready(self) -> bool:
        try:
            text = (self._home.data / "postmaster.pid").read_text(encoding="utf-8")
        except FileNotFoundError:
            return False
        lines = text.splitlines()
        return (
            len(lines) > READY_LINE
            and lines[0] == str(self.pid)
            and lines[READY_LINE].strip() == "ready"
        )

    def _did_not_start(self, log: str) -> str:
        return f"PostgreSQL did not start. {end_of_log(self._home.logs, log)}"
