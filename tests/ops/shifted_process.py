"""A process of the product whose clocks files move: `python -m ops.shifted_process worker`.

CLOCK_SHIFT names a file with the seconds by which the machine's clock is wrong, in a folder with
the machine's name; PRODUCT_CLOCK one of the demo's product clock, for a worker.
"""

import functools
import os
import socket
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from faults.check_worker import TICK_INTERVAL, frequent_schedule, shift_clock
from prawko.apps.cli.main import main
from prawko.apps.web import asgi
from prawko.apps.worker import main as worker
from prawko.kit.http import server
from prawko_demo.clock import FileClock

_run_server = server.run_server


def create_panel() -> Any:
    """Return the panel, in granian's child process."""
    shift_clock(Path(os.environ["CLOCK_SHIFT"]))
    return asgi.create_asgi_app()


def create_console() -> Any:
    """Return the console, in granian's child process."""
    shift_clock(Path(os.environ["CLOCK_SHIFT"]))
    return asgi.create_console_asgi_app()


def run_shifted_server(target: str, **options: Any) -> None:
    """Serve the shifted application in place of the product's."""
    name = "create_console" if "console" in target else "create_panel"
    _run_server(f"ops.shifted_process:{name}", **options)


def run_shifted_worker() -> None:
    """Work by the product clock of the file, with jobs that are frequent for the tests."""
    clock = FileClock(Path(os.environ["PRODUCT_CLOCK"]))
    run = functools.partial(
        worker.run_until_terminated, schedule=frequent_schedule(), tick_interval=TICK_INTERVAL
    )
    create_context = functools.partial(worker.create_context, clock=clock)
    with (
        mock.patch.object(worker, "run_until_terminated", run),
        mock.patch.object(worker, "create_context", create_context),
    ):
        sys.exit(main(["worker"]))


if __name__ == "__main__":
    shift_file = Path(os.environ["CLOCK_SHIFT"])
    shift_clock(shift_file)
    socket.gethostname = lambda: shift_file.parent.name
    if sys.argv[1] == "worker":
        run_shifted_worker()
    with mock.patch.object(server, "run_server", run_shifted_server):
        sys.exit(main([sys.argv[1]]))
