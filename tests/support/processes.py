"""Processes of the product, forked from a server that has imported it.

Starting Python and importing the product takes a second of processor time; the fork server does
it once. A forked process has its own environment, files and exit code, and may be killed.
"""

import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from prawko.apps.cli.main import main
from prawko_embedded import process as embedded_process

PRAWKO = Path(sys.executable).parent / "prawko"
TIMEOUT_SECONDS = 120.0
# `make test-hours` moves the clock with these; a process with variables of its own needs them too.
CLOCK_VARIABLES = {
    name: os.environ[name] for name in ("LD_PRELOAD", "CLOCK_OFFSET") if name in os.environ
}
# The demo, whose servers would have the machine's clock.
DEMO_COMMAND = (
    [sys.executable, "-m", "support.shifted_demo"] if CLOCK_VARIABLES else [PRAWKO, "demo"]
)

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload([
    "pytest", "prawko.apps.web.app", "prawko.apps.worker.main", "prawko.apps.cli.main",
    "prawko_testing.fakes",
    *(plugin.module for plugin in entry_points(group="prawko")),
])  # fmt: skip


def share_clock() -> None:
    """Let the embedded servers live at the moment of `make test-hours`, where that moves clocks."""
    shared = {**embedded_process.server_environment(), **CLOCK_VARIABLES}
    embedded_process.server_environment = lambda: shared


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def start_process(
    run: Callable[..., object],
    *arguments: object,
    variables: Mapping[str, str],
    output_folder: Path,
) -> ForkServerProcess:
    """Run a function of an importable module in a new process; its output goes to files."""
    process = _forks.Process(
        target=_run_child, args=(run, arguments, dict(variables), str(output_folder))
    )
    process.start()
    return process


def wait_for_exit(process: ForkServerProcess) -> int:
    """Return the exit code, negative for a signal; a process that does not end is killed."""
    process.join(TIMEOUT_SECONDS)
    if process.exitcode is None:
        process.kill()
        process.join()
    code = process.exitcode
    process.close()
    return code


def run_prawko(
    *arguments: str, stdin: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with these variables only."""
    with tempfile.TemporaryDirectory() as folder:
        output_folder = Path(folder)
        (output_folder / "in").write_text(stdin)
        code = wait_for_exit(
            start_process(_run_command, arguments, variables=variables, output_folder=output_folder)
        )
        output = [(output_folder / name).read_text() for name in ("out", "err")]
    return subprocess.CompletedProcess(arguments, code, *output)


def _run_command(arguments: tuple[str, ...]) -> None:
    sys.argv = ["prawko", *arguments]
    sys.exit(main())


def _run_child(
    run: Callable[..., object],
    arguments: tuple[object, ...],
    variables: dict[str, str],
    folder: str,
) -> None:
    os.environ.clear()
    # The slots of the processes that a test ends say nothing to those of another test.
    os.environ.update({"RUNTIME_DIRECTORY": folder} | CLOCK_VARIABLES | variables)
    modes = {"in": os.O_RDONLY, "out": os.O_WRONLY | os.O_APPEND, "err": os.O_WRONLY | os.O_APPEND}
    for number, (name, mode) in enumerate(modes.items()):
        os.dup2(os.open(Path(folder, name), mode | os.O_CREAT), number)
    sys.stdin = os.fdopen(0)
    run(*arguments)
