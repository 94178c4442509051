"""The panel of this process's variables, as `prawko serve` runs it."""

import os
import signal
from pathlib import Path
from typing import Any

from prawko.base.settings import SettingError, Settings

NO_SITE = "none"


def panel() -> Any:
    """Make the ASGI application, in granian's child: the parent has no use for it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from prawko.base.start import close_tools, open_tools  # noqa: PLC0415 (see above)
    from prawko.web.app import create_app  # noqa: PLC0415

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
