"""The embedded PostgreSQL: creates the database, starts and stops the server."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from prawko_embedded.binaries import POSTGRES_MAJOR, Binaries
from prawko_embedded.errors import EmbeddedError
from prawko_embedded.home import POSTGRES_SOCKET, Home, PrivateFolder
from prawko_embedded.log_files import open_log, read_log_tail
from prawko_embedded.process import (
    POLL_SECONDS,
    launch_server,
    terminate_orphans,
    terminate_process,
)

SUPERUSER = "postgres"
PORT = 5432  # part of the socket's name; nothing listens on TCP
PID_FILE_STATUS_LINE = 7  # of postmaster.pid
RECOVERY_SECONDS = 120.0  # enough to replay a large WAL after a crash
INITDB_OPTIONS = (
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth=scram-sha-256",
    f"--username={SUPERUSER}",
    "--no-instructions",
)
# For a small machine with other programs on it.
POSTGRES_SETTINGS = {
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
    # A statement or a detail ("Key (license_number)=…") would log personal data.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
# For tests, which survive a crash of the server but not of the machine. `synchronous_commit` stays
# on, because a killed server would lose confirmed commits; without fsync it costs little.
NON_DURABLE_SETTINGS = {"fsync": "off", "full_page_writes": "off"}


class PostgresServer:
    """The PostgreSQL server of one home."""

    name = "PostgreSQL"

    def __init__(self, home: Home, binaries: Binaries, *, durable: bool) -> None:
        self._home = home
        self._binaries = binaries
        self._durable = durable
        self._data: PrivateFolder | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The superuser's URL, for asyncpg."""
        password = self._home.passwords.postgres
        folder = self._home.socket_folder.path
        return f"postgresql://{SUPERUSER}:{password}@/postgres?host={folder}&port={PORT}"

    @property
    def pid(self) -> int:
        if self._process is None:
            raise EmbeddedError("PostgreSQL is not running.")
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server, creating the database where there is none.

        Returns before it accepts connections; `wait_until_ready` waits. Raises EmbeddedError.
        """
        terminate_orphans(self._home.process_tag, "postgres")
        if not self._home.data_path.exists():
            self._init_database()
        self._ensure_version()
        self._data = PrivateFolder(self._home.data_path, self._home.account)
        self._remove_stale_files()
        settings = POSTGRES_SETTINGS | ({} if self._durable else NON_DURABLE_SETTINGS)
        settings |= {
            "unix_socket_directories": self._home.socket_folder.path_for_server,
            "cluster_name": self._home.process_tag,  # in the title of each of its processes
        }
        with open_log(self._home.logs_path, "postgres") as log:
            self._process = launch_server(
                [
                    str(self._binaries.postgres),
                    "-D",
                    self._data.path_for_server,
                    *(f"--{name}={value}" for name, value in settings.items()),
                ],
                account=self._home.account,
                pass_fds=(self._data.descriptor, self._home.socket_folder.descriptor),
                log=log,
            )

    def wait_until_ready(self) -> None:
        """Wait until the server accepts connections. Raises EmbeddedError."""
        until = time.monotonic() + RECOVERY_SECONDS
        while not self._is_ready():
            if not self.is_running or time.monotonic() > until:
                raise EmbeddedError(self._start_failure("postgres"))
            time.sleep(POLL_SECONDS)

    def stop(self, *, immediate: bool = False) -> None:
        """Stop the server; `immediate` skips the checkpoint, so that the next start recovers."""
        if self._process is not None:
            fast = () if immediate else ((signal.SIGINT, 30.0),)
            terminate_process(self._process, *fast, (signal.SIGQUIT, 5.0))
            self._process = None
        if self._data is not None:
            self._data.close()
            self._data = None

    def _init_database(self) -> None:
        """Create the database in a draft folder and rename it, so that it is never incomplete."""
        draft = self._home.path / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)
        secret = self._home.socket_folder.path / "password"
        folder = PrivateFolder(draft, self._home.account)
        try:
            secret.write_text(self._home.passwords.postgres, encoding="ascii")
            secret.chmod(0o600)
            os.chown(secret, self._home.account.uid, self._home.account.gid)
            with open_log(self._home.logs_path, "initdb") as log:
                initdb = launch_server(
                    [
                        str(self._binaries.initdb),
                        f"--pgdata={folder.path_for_server}",
                        f"--pwfile={self._home.socket_folder.path_for_server}/password",
                        # The next start finds the process by the tag, should this one be killed.
                        f"--set=cluster_name={self._home.process_tag}",
                        *INITDB_OPTIONS,
                        *(() if self._durable else ("--no-sync",)),
                    ],
                    account=self._home.account,
                    pass_fds=(folder.descriptor, self._home.socket_folder.descriptor),
                    log=log,
                )
                try:
                    code = initdb.wait()
                except BaseException:
                    initdb.kill()
                    initdb.wait()
                    raise
            if code:
                raise EmbeddedError(self._start_failure("initdb"))
        finally:
            folder.close()
            secret.unlink(missing_ok=True)
        draft.rename(self._home.data_path)

    def _ensure_version(self) -> None:
        try:
            version = (self._home.data_path / "PG_VERSION").read_text(encoding="ascii").strip()
        except OSError as error:
            raise EmbeddedError(
                f"{self._home.data_path} is not a database we may open: {error.strerror}."
            ) from None
        if version != POSTGRES_MAJOR:
            raise EmbeddedError(
                f"{self._home.data_path} was made by PostgreSQL {version}, and {POSTGRES_MAJOR} is "
                "installed: dump it with the old one, or choose another home."
            )

    def _remove_stale_files(self) -> None:
        """Remove files of a crashed server; with a reused process id it would look running.

        `postmaster.pid` stays where no process has its id: the server finds the shared memory of
        its predecessor by it.
        """
        for name in (POSTGRES_SOCKET, f"{POSTGRES_SOCKET}.lock"):
            (self._home.socket_folder.path / name).unlink(missing_ok=True)
        pid_file = self._home.data_path / "postmaster.pid"
        with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
            pid = int(pid_file.read_text(encoding="utf-8").splitlines()[0])
            if Path("/proc", str(pid)).exists():
                pid_file.unlink()

    def _is_ready(self) -> bool:
        try:
            text = (self._home.data_path / "postmaster.pid").read_text(encoding="utf-8")
        except FileNotFoundError:
            return False
        lines = text.splitlines()
        return (
            len(lines) > PID_FILE_STATUS_LINE
            and lines[0] == str(self.pid)
            and lines[PID_FILE_STATUS_LINE].strip() == "ready"
        )

    def _start_failure(self, log: str) -> str:
        return f"PostgreSQL did not start. {read_log_tail(self._home.logs_path, log)}"
