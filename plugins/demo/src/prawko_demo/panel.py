"""The process of panel and console: `python -m prawko_demo.panel PORT`."""

import signal
import sys
from typing import Any

from prawko.kit.http.server import run_server
from prawko_demo.options import HOST


def main() -> None:
    """Serve until SIGTERM."""
    run_server("prawko_demo.panel:load_panel", host=HOST, port=int(sys.argv[1]))


def load_panel() -> Any:
    """Return the application, in granian's child process.

    Until it serves, the child would ignore SIGTERM: it has the parent's signal handlers.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from prawko.apps.web.asgi import prepare_to_serve  # noqa: PLC0415 (not for the parent)
    from prawko_demo.panel_app import create_site  # noqa: PLC0415

    site = create_site()
    site.panel.on_shutdown.append(site.close_others)
    prepare_to_serve(site.panel, site.context, "panel")
    return site.app


if __name__ == "__main__":
    main()
