"""The product's processes as an operator starts them, each with its own variables and address."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import httpx

from support.processes import CLOCK_VARIABLES, PRAWKO, free_port
from support.waiting import poll

PROGRAM = (str(PRAWKO),)
SHIFTED_PROGRAM = (sys.executable, "-m", "ops.shifted_process")
READY_SECONDS = 60.0
STOP_SECONDS = 40.0
# What the process needs to find its programs and modules, those of the tests among them.
INHERITED = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}


class ServerProcess:
    """A process that can be started again; its output is appended to one file."""

    def __init__(
        self, arguments: list[str], variables: dict[str, str], log: Path, url: str = ""
    ) -> None:
        self.url = url
        self.log = log
        self._arguments, self._variables = arguments, variables
        self._runtime = {"RUNTIME_DIRECTORY": str(log.parent)}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                self._arguments,
                env=self._runtime | INHERITED | CLOCK_VARIABLES | self._variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        return self

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_ready(self, path: str = "/health/ready") -> Self:
        def is_ready() -> bool:
            assert self._process.poll() is None, self.log.read_text()[-3000:]
            try:
                return httpx.get(f"{self.url}{path}", trust_env=False, timeout=2).is_success
            except httpx.TransportError:
                return False

        poll(is_ready, READY_SECONDS)
        return self

    def stop(self, *, terminate: bool = True) -> int | None:
        """Terminate the process as a supervisor does; return its exit code."""
        if self._process is None:
            return None
        if terminate:
            self._process.terminate()
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            self._process = None

    def wait(self) -> int:
        """Wait for a process that ends by itself; return its exit code."""
        code = self._process.wait(READY_SECONDS)
        self._process = None
        return code

    def kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


def prawko(
    command: str,
    variables: dict[str, str],
    folder: Path,
    host: str = "127.0.0.1",
    port: int = 0,
    program: Sequence[str] = PROGRAM,
) -> ServerProcess:
    """Return the process of a command; it is not started yet."""
    port = port or free_port()  # not the default: something else may serve there
    variables = {**variables, "HOST": host, "PORT": str(port)}
    name = f"{command}-{host}-{port}"
    return ServerProcess(
        [*program, command], variables, folder / f"{name}.log", f"http://{host}:{port}"
    )
