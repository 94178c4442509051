"""Processes of the product that begin with its imports done.

To start Python and import the product takes a second of a processor, each time. A server does
it once; what it forks is a process like any other: it has its own variables, its own files and
its own end, and may be killed.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from prawko.cli.main import main

SECONDS = 120.0

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload([
    "pytest", "prawko.web.app", "prawko.worker.main", "prawko.cli.main", "prawko.testing.fakes",
    *(plugin.module for plugin in entry_points(group="prawko")),
])  # fmt: skip


def begin(
    run: Callable[..., object], *arguments: object, variables: Mapping[str, str], into: Path
) -> ForkServerProcess:
    """Run a function of an importable module in a process of its own; what it says is kept."""
    process = _forks.Process(target=_become, args=(run, arguments, dict(variables), str(into)))
    process.start()
    return process


def end_of(process: ForkServerProcess) -> int:
    """The exit code, of a signal a negative one; a process that does not end is killed."""
    process.join(SECONDS)
    if process.exitcode is None:
        process.kill()
        process.join()
    code = process.exitcode
    process.close()
    return code


def prawko(*arguments: str, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command, with these variables alone."""
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder)
        (into / "in").write_text(given)
        code = end_of(begin(_command, arguments, variables=variables, into=into))
        said = [(into / name).read_text() for name in ("out", "err")]
    return subprocess.CompletedProcess(arguments, code, *said)


def _command(arguments: tuple[str, ...]) -> None:
    sys.argv = ["prawko", *arguments]
    sys.exit(main())


def _become(
    run: Callable[..., object], arguments: tuple[object, ...], variables: dict[str, str], into: str
) -> None:
    os.environ.clear()
    os.environ.update(variables)
    modes = {"in": os.O_RDONLY, "out": os.O_WRONLY | os.O_APPEND, "err": os.O_WRONLY | os.O_APPEND}
    for number, (name, mode) in enumerate(modes.items()):
        os.dup2(os.open(Path(into, name), mode | os.O_CREAT), number)
    sys.stdin = os.fdopen(0)
    run(*arguments)
