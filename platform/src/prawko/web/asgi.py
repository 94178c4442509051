"""Factory of the ASGI application from environment variables, for `prawko serve`."""

import os
import signal
from pathlib import Path
from typing import Any

from prawko.base.settings import Settings
from prawko.hooks.environment import SettingsError

NO_FRONTEND = "none"


def create_asgi_app() -> Any:
    """Create the ASGI application in a process of granian's; its parent does not import it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from prawko.base.bootstrap import close_context, create_context  # noqa: PLC0415 (see above)
    from prawko.web.app import create_app  # noqa: PLC0415

    context = create_context(os.environ)
    app = create_app(context, frontend_dir=find_frontend(context.settings))

    async def close() -> None:
        await close_context(context)

    app.on_shutdown.append(close)
    return app


def find_frontend(settings: Settings) -> Path | None:
    """Return the folder of the built browser application; None when there is to be none.

    Raises SettingsError when the folder has no `index.html`.
    """
    if settings.frontend_dir == NO_FRONTEND:
        return None
    folder = Path(settings.frontend_dir)
    if not (folder / "index.html").is_file():
        raise SettingsError("FRONTEND_DIR", f"names {folder}, which contains no built application")
    return folder
