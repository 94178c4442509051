"""The panel's process: `python -m prawko_demo.panel PORT`. The product's server, the demo's app.

The application is loaded in granian's own child process: here it would only cost time.
"""

import sys

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

from prawko_demo.options import HOST


def main() -> None:
    """Serve until SIGTERM."""
    Server(
        "prawko_demo.panel_app:panel",
        factory=True,
        address=HOST,
        port=int(sys.argv[1]),
        interface=Interfaces.ASGI,
        log_access=False,
        log_level=LogLevels.warning,
        websockets=False,
        respawn_failed_workers=True,
    ).serve()


if __name__ == "__main__":
    main()
