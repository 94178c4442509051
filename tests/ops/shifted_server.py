"""A panel or console whose clock a file moves: `python -m ops.shifted_server serve`."""

import os
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from faults.check_worker import shift_clock
from prawko.cli.main import main
from prawko.web import asgi, server

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
    _run_server(f"ops.shifted_server:{name}", **options)


if __name__ == "__main__":
    shift_clock(Path(os.environ["CLOCK_SHIFT"]))
    with mock.patch.object(server, "run_server", run_shifted_server):
        sys.exit(main([sys.argv[1]]))
