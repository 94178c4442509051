"""Runs a program's services in the foreground and restarts those that crash.

    probe = make_http_probe("http://127.0.0.1:8000/…")
    supervise_services(
        [ServiceSpec("panel", [sys.executable, "-m", "…"], is_ready=probe)],
        logs=home / "logs",
        on_ready=lambda: print("ready"),
        servers=running,
    )

Services start together and are stopped one by one in reverse order, so a service that others need
while they finish comes before them in the list.
"""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from prawko_embedded.errors import EmbeddedError
from prawko_embedded.log_files import open_log, read_log_tail
from prawko_embedded.process import with_parent_death_signal
from prawko_embedded.servers import EmbeddedServers

STOP_SIGNALS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
BLOCKED_SIGNALS = STOP_SIGNALS | {signal.SIGCHLD}
POLL_SECONDS = 0.05  # between two readiness checks
IDLE_SECONDS = 60.0
DRAIN_SECONDS = 30.0
MIN_BACKOFF_SECONDS = 0.5
MAX_BACKOFF_SECONDS = 30.0
BACKOFF_RESET_SECONDS = 60.0  # a service that ran so long starts again at the shortest back-off


def always_ready() -> bool:
    """The default readiness check: a running service is ready."""
    return True


class ServiceSpec(msgspec.Struct, frozen=True):
    """One process: its command line, additional environment variables and readiness check.

    `is_ready` is called repeatedly in the supervisor's only thread and must return within about a
    second. The start fails when the service exits before it is ready, or is not ready
    `ready_timeout` seconds after it was started.
    """

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = {}
    is_ready: Callable[[], bool] = always_ready
    ready_timeout: float = 60.0


def make_http_probe(url: str) -> Callable[[], bool]:
    """Return a readiness check: whether `url` (plain HTTP) answers with 200."""
    parts = urlsplit(url)

    def probe() -> bool:
        client = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=1.0)
        try:
            client.request("GET", parts.path or "/")
            return client.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            client.close()

    return probe


def supervise_services(
    services: Sequence[ServiceSpec],
    *,
    logs: Path,
    on_ready: Callable[[], None],
    servers: EmbeddedServers | None = None,
    drain_seconds: float = DRAIN_SECONDS,
) -> int:
    """Run the services until SIGINT, SIGTERM or SIGHUP, and return the exit code.

    Output goes to `<logs>/<name>.log`. `on_ready` is called once, when all are ready. A service
    that crashes afterwards is restarted with exponential back-off, a server of `servers` at once;
    both are reported on stderr. On a signal each service gets SIGTERM and is waited for; after
    `drain_seconds` in all, or at a second signal, the rest is killed. The services also get SIGTERM
    when this process dies.

    Returns 0 after a signal, 1 if a service or server could not be started. Main thread only.
    """
    with _blocked_signals(), contextlib.ExitStack() as cleanup:
        children = [_SupervisedProcess(service, logs) for service in services]
        cleanup.callback(_drain_all, children, drain_seconds)
        try:
            for child in children:
                child.start()
            if not _wait_until_ready(children):
                return 0
            on_ready()
            _restart_crashed(children, servers)
        except EmbeddedError as error:
            _print_error(str(error))
            return 1
        return 0


class _SupervisedProcess:
    """The present process of a service."""

    def __init__(self, service: ServiceSpec, logs: Path) -> None:
        self.service = service
        self._logs = logs
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._backoff = MIN_BACKOFF_SECONDS
        self._restart_at: float | None = None

    def start(self) -> None:
        command = with_parent_death_signal(self.service.argv, death_signal=signal.SIGTERM)
        with open_log(self._logs, self.service.name) as log:
            self._process = subprocess.Popen(  # noqa: S603  the caller's own command
                command,
                env={**os.environ, **self.service.env},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # no Ctrl-C from the terminal, and a group to kill
            )
        self._started_at = time.monotonic()
        self._restart_at = None

    def check_ready(self) -> bool:
        """Whether the service is ready. Raises EmbeddedError where its start has failed."""
        if (code := self._exit_code()) is not None:
            raise EmbeddedError(
                f"{self.service.name} ended ({_describe_exit(code)}). {self.log_tail()}"
            )
        if self.service.is_ready():
            return True
        if time.monotonic() > self._started_at + self.service.ready_timeout:
            raise EmbeddedError(
                f"{self.service.name} is not ready after {self.service.ready_timeout:g} s. "
                + self.log_tail()
            )
        return False

    def restart_if_crashed(self) -> float:
        """Restart a crashed service after its back-off; return the seconds until the next check."""
        now = time.monotonic()
        if self._restart_at is None:
            if (code := self._exit_code()) is None:
                return IDLE_SECONDS
            self.kill_group()
            if now > self._started_at + BACKOFF_RESET_SECONDS:
                self._backoff = MIN_BACKOFF_SECONDS
            _print_error(
                f"{self.service.name} ended ({_describe_exit(code)}); starting it again in "
                f"{self._backoff:g} s. {self.log_tail()}"
            )
            self._restart_at = now + self._backoff
            self._backoff = min(self._backoff * 2, MAX_BACKOFF_SECONDS)
        if now >= self._restart_at:
            self.start()
            return IDLE_SECONDS
        return self._restart_at - now

    def terminate(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def has_exited(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def kill_group(self) -> None:
        """Kill the service and its child processes."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def log_tail(self) -> str:
        return read_log_tail(self._logs, self.service.name)

    def _exit_code(self) -> int | None:
        return self._process.poll() if self._process else None


@contextlib.contextmanager
def _blocked_signals() -> Iterator[None]:
    """Block the signals that `_wait_for_stop_signal` reads, so that none is lost."""
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, BLOCKED_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


def _wait_for_stop_signal(seconds: float) -> bool:
    """Wait for a signal, at most so long; return whether it was a stop signal."""
    received = signal.sigtimedwait(BLOCKED_SIGNALS, max(seconds, 0.0))
    return received is not None and received.si_signo in STOP_SIGNALS


def _wait_until_ready(children: Sequence[_SupervisedProcess]) -> bool:
    """Wait until all are ready; return False at a stop signal. Raises EmbeddedError."""
    pending = list(children)
    while pending := [child for child in pending if not child.check_ready()]:
        if _wait_for_stop_signal(POLL_SECONDS):
            return False
    return True


def _restart_crashed(
    children: Sequence[_SupervisedProcess], servers: EmbeddedServers | None
) -> None:
    """Restart crashed services and servers until a stop signal."""
    while True:
        for name in servers.restart_dead() if servers else ():
            _print_error(f"{name} had ended; it runs again.")
        sleep = min((child.restart_if_crashed() for child in children), default=IDLE_SECONDS)
        if _wait_for_stop_signal(sleep):
            return


def _drain_all(children: Sequence[_SupervisedProcess], seconds: float) -> None:
    until = time.monotonic() + seconds
    for child in reversed(children):
        child.terminate()
        while not child.has_exited():
            if time.monotonic() > until or _wait_for_stop_signal(POLL_SECONDS):
                until = 0.0
                _print_error(f"{child.service.name} did not end in time and is killed.")
                break
        child.kill_group()


def _describe_exit(code: int) -> str:
    return f"{signal.strsignal(-code)}, signal {-code}" if code < 0 else f"exit code {code}"


def _print_error(sentence: str) -> None:
    sys.stderr.write(f"prawko: {sentence}\n")
    sys.stderr.flush()
