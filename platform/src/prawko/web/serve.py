"""Runs an ASGI application under granian."""

import os
from pathlib import Path

from granian.constants import Interfaces, Loops
from granian.log import LogLevels
from granian.server import Server
from litestar import Litestar

from prawko.base.settings import SettingError, Settings
from prawko.base.start import close_tools, open_tools
from prawko.web.app import create_app

NO_SITE = "none"


def panel() -> Litestar:
    """The panel of this process's variables, as `prawko serve` runs it."""
    tools = open_tools(os.environ)
    app = create_app(tools, site=built_site(tools.settings))

    async def close() -> None:
        await close_tools(tools)

    app.on_shutdown.append(close)
    return app


def built_site(settings: Settings) -> Path | None:
    """The folder of the built customer application. Raises SettingError when it holds none."""
    if settings.site == NO_SITE:
        return None
    folder = Path(settings.site)
    if not (folder / "index.html").is_file():
        raise SettingError("SITE", f"names {folder}, where no built application lies")
    return folder


def serve(settings: Settings, target: str) -> None:
    """Serve the application that the factory `target` makes, until told to stop."""
    Server(
        target,
        factory=True,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        loop=Loops.auto,
        workers=settings.panel_processes,
        log_access=False,
        log_level=LogLevels.warning,
        websockets=False,
        respawn_failed_workers=True,
    ).serve()
