"""One site of two applications in one process, for the demo: in production a proxy does this."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from prawko.apps.web.console_paths import is_console_path


class SiteDispatcher:
    """Hands the console's paths to the console, everything else to the panel.

    Start and stop events of the process go to the panel only.
    """

    def __init__(self, panel: ASGIApp, console: ASGIApp) -> None:
        self._panel = panel
        self._console = console

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_console = scope["type"] == ScopeType.HTTP and is_console_path(scope["path"])
        await (self._console if is_console else self._panel)(scope, receive, send)
