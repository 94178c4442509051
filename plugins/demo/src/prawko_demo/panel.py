"""The panel's process: `python -m prawko_demo.panel PORT`. The product's server, the demo's app."""

import signal
import sys
from typing import Any

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

from prawko_demo.options import HOST

KILL_SECONDS = 10


def main() -> None:
    """Serve until SIGTERM."""
    Server(
        "prawko_demo.panel:application",
        factory=True,
        address=HOST,
        port=int(sys.argv[1]),
        interface=Interfaces.ASGI,
        log_access=False,
        log_level=LogLevels.warning,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=KILL_SECONDS,
    ).serve()


def application() -> Any:
    """Load the application, in granian's child process.

    Until it serves, the child has its parent's handlers and would miss being told to end.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from prawko_demo.panel_app import panel  # noqa: PLC0415 (the parent needs none of it)

    return panel()


if __name__ == "__main__":
    main()
