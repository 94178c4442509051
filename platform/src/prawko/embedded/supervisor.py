"""Runs the processes of a product in the foreground until somebody stops it.

    supervise(
        [Service("panel", [sys.executable, "-m", "…"], ready=answers("http://127.0.0.1:8000/…"))],
        logs=home / "logs",
        on_ready=lambda: print("ready"),
        servers=running,
    )

Services start together and end one after the other in the opposite order of the list, so name
first what the others need while they finish their work.
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

from prawko.embedded.errors import EmbeddedError
from prawko.embedded.log_files import end_of_log, open_log
from prawko.embedded.process import own_death_command
from prawko.embedded.servers import RunningServers

STOPS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
WATCHED = STOPS | {signal.SIGCHLD}
LOOK = 0.05  # seconds between two questions whether a starting service is ready
IDLE = 60.0
DRAIN_SECONDS = 30.0
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
SETTLED = 60.0  # a service that ran so long may crash anew without a longer pause


def running() -> bool:
    """Ready as soon as it runs."""
    return True


class Service(msgspec.Struct, frozen=True):
    """One process: what to run, what to add to our environment, and when it is ready.

    `ready` is asked many times, in our only thread: it must answer within about a second. A
    service that is not ready `ready_within` seconds after its first start, or ends before, is a
    failed start.
    """

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = {}
    ready: Callable[[], bool] = running
    ready_within: float = 60.0


def answers(url: str) -> Callable[[], bool]:
    """Whether `url` (plain http) answers 200."""
    parts = urlsplit(url)

    def ask() -> bool:
        client = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=1.0)
        try:
            client.request("GET", parts.path or "/")
            return client.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            client.close()

    return ask


def supervise(
    services: Sequence[Service],
    *,
    logs: Path,
    on_ready: Callable[[], None],
    servers: RunningServers | None = None,
    drain_seconds: float = DRAIN_SECONDS,
) -> int:
    """Run the services until SIGINT, SIGTERM or SIGHUP, and return the exit code.

    Output goes to `<logs>/<name>.log`. `on_ready` is called once, when all are ready. What
    crashes afterwards, `servers` included, is started again, with growing pauses, and stderr is
    told. On a signal each service gets SIGTERM and is waited for; after `drain_seconds` in all,
    or at a second signal, what is left is killed. They also get SIGTERM when this process dies.

    Returns 0 after a signal, 1 if a service or server could not be started. Main thread only.
    """
    with _signals_waiting(), contextlib.ExitStack() as cleanup:
        children = [_Child(service, logs) for service in services]
        cleanup.callback(_drain, children, drain_seconds)
        try:
            for child in children:
                child.start()
            if not _become_ready(children):
                return 0
            on_ready()
            _keep_running(children, servers)
        except EmbeddedError as error:
            _say(str(error))
            return 1
        return 0


class _Child:
    """A service's process, whichever it is at present."""

    def __init__(self, service: Service, logs: Path) -> None:
        self.service = service
        self._logs = logs
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._pause = FIRST_PAUSE
        self._start_again: float | None = None

    def start(self) -> None:
        command = own_death_command(self.service.argv, death_signal=signal.SIGTERM)
        with open_log(self._logs, self.service.name) as log:
            self._process = subprocess.Popen(  # noqa: S603  the caller's own program
                command,
                env={**os.environ, **self.service.env},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C reaches us alone; its group is ours to end
            )
        self._started = time.monotonic()
        self._start_again = None

    def look_ready(self) -> bool:
        """Whether the first start has succeeded; raises EmbeddedError if it has failed."""
        if (code := self._ended()) is not None:
            raise EmbeddedError(f"{self.service.name} ended ({_why(code)}). {self.last_words()}")
        if self.service.ready():
            return True
        if time.monotonic() > self._started + self.service.ready_within:
            raise EmbeddedError(
                f"{self.service.name} is not ready after {self.service.ready_within:g} s. "
                + self.last_words()
            )
        return False

    def keep_running(self) -> float:
        """Start it again if it has crashed and its pause is over; return seconds to sleep."""
        now = time.monotonic()
        if self._start_again is None:
            if (code := self._ended()) is None:
                return IDLE
            self.end_group()
            if now > self._started + SETTLED:
                self._pause = FIRST_PAUSE
            _say(
                f"{self.service.name} ended ({_why(code)}); starting it again in "
                f"{self._pause:g} s. {self.last_words()}"
            )
            self._start_again = now + self._pause
            self._pause = min(self._pause * 2, LONGEST_PAUSE)
        if now >= self._start_again:
            self.start()
            return IDLE
        return self._start_again - now

    def ask_to_end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def end_group(self) -> None:
        """Kill what is left of the service, children of its own included."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def last_words(self) -> str:
        return end_of_log(self._logs, self.service.name)

    def _ended(self) -> int | None:
        return self._process.poll() if self._process else None


@contextlib.contextmanager
def _signals_waiting() -> Iterator[None]:
    """Hold the signals we watch until they are asked for: none is lost, none interrupts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop_asked(seconds: float) -> bool:
    """Sleep until a signal comes, at most so long; whether it was one that stops us."""
    came = signal.sigtimedwait(WATCHED, max(seconds, 0.0))
    return came is not None and came.si_signo in STOPS


def _become_ready(children: Sequence[_Child]) -> bool:
    """Wait until all are ready; False if somebody stopped us before."""
    waiting = list(children)
    while waiting := [child for child in waiting if not child.look_ready()]:
        if _stop_asked(LOOK):
            return False
    return True


def _keep_running(children: Sequence[_Child], servers: RunningServers | None) -> None:
    """Start again what crashes until somebody stops us."""
    while True:
        for name in servers.revive() if servers else ():
            _say(f"{name} had ended; it runs again.")
        sleep = min((child.keep_running() for child in children), default=IDLE)
        if _stop_asked(sleep):
            return


def _drain(children: Sequence[_Child], seconds: float) -> None:
    until = time.monotonic() + seconds
    for child in reversed(children):
        child.ask_to_end()
        while not child.has_ended():
            if time.monotonic() > until or _stop_asked(LOOK):
                until = 0.0
                _say(f"{child.service.name} did not end in time and is killed.")
                break
        child.end_group()


def _why(code: int) -> str:
    return f"{signal.strsignal(-code)}, signal {-code}" if code < 0 else f"exit code {code}"


def _say(sentence: str) -> None:
    sys.stderr.write(f"prawko: {sentence}\n")
    sys.stderr.flush()
