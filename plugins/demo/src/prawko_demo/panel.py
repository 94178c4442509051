"""The panel's process: `python -m prawko_demo.panel PORT`. The product's server, the demo's app."""

import signal
import sys
from typing import Any

from prawko.web.serve import serve
from prawko_demo.options import HOST


def main() -> None:
    """Serve until SIGTERM."""
    serve("prawko_demo.panel:application", host=HOST, port=int(sys.argv[1]))


def application() -> Any:
    """Load the application, in granian's child process.

    Until it serves, the child has its parent's handlers and would miss being told to end.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from prawko_demo.panel_app import panel  # noqa: PLC0415 (the parent needs none of it)

    return panel()


if __name__ == "__main__":
    main()
