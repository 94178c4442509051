"""Factories of the ASGI applications, for `prawko serve` and `prawko console`."""

import dataclasses
import os
import signal
from pathlib import Path
from typing import Any

from prawko.hooks.environment import SettingsError
from prawko.kit.process_protection import (
    end_with_parent,
    hide_process,
    return_large_buffers,
)
from prawko.kit.settings import Settings

NO_FRONTEND = "none"  # also of the console


def create_asgi_app() -> Any:
    """Create the ASGI application in a process of granian's; its parent does not import it."""
    _become_server_process()
    from prawko.apps.web.app import create_app  # noqa: PLC0415 (see above)

    context = _open_context()
    app = create_app(context, frontend_dir=find_frontend(context.settings))
    prepare_to_serve(app, context, "panel")
    return app


def create_console_asgi_app() -> Any:
    """Create the console's application, as `create_asgi_app` does the panel's."""
    _become_server_process()
    from prawko.apps.web.console_app import create_console_app  # noqa: PLC0415 (see above)

    context = _open_context(reads_all_companies=True)
    app = create_console_app(context, console_dir=find_console(context.settings))
    prepare_to_serve(app, context, "console")
    return app


def _open_context(*, reads_all_companies: bool = False) -> Any:
    """Create the context of this process, whose clock cannot be read while it is wrong."""
    from prawko.apps.composition_root import create_context  # noqa: PLC0415 (the parent imports nothing)
    from prawko.kit.clock import GuardedClock  # noqa: PLC0415

    context = create_context(os.environ, reads_all_companies=reads_all_companies)
    return dataclasses.replace(context, clock=GuardedClock(context.clock, context.clock_guard))


def prepare_to_serve(app: Any, context: Any, role: str) -> None:
    """Start the output of logs and traces; let the application do the rest while it serves.

    It watches its process and its clock, shares its metrics, and closes the context at its end.
    """
    from prawko.kit.bootstrap import close_context  # noqa: PLC0415 (the parent imports nothing)
    from prawko.kit.http.clock_gate import compare_clocks  # noqa: PLC0415
    from prawko.kit.http.lifecycle import share_metrics, watch_process  # noqa: PLC0415
    from prawko.kit.observability.logs import start_output_thread  # noqa: PLC0415
    from prawko.kit.observability.tracing import start_tracing  # noqa: PLC0415

    async def close() -> None:
        await close_context(context)

    start_output_thread()
    start_tracing(role)
    watch_process(app, context, role)
    compare_clocks(app, context)
    app.on_shutdown.append(close)
    share_metrics(app, context)


def _become_server_process() -> None:
    """Restore the default action of SIGTERM, and ask the system for what a server needs."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    hide_process()
    return_large_buffers()


def find_console(settings: Settings) -> Path | None:
    """Return the folder of the built console; None when the settings want none.

    Raises SettingsError when the folder has no `index.html`.
    """
    return _find_build("CONSOLE_DIR", settings.console_dir)


def find_frontend(settings: Settings) -> Path | None:
    """Return the folder of the built browser application; None when the settings want none.

    Raises SettingsError when the folder has no `index.html`.
    """
    return _find_build("FRONTEND_DIR", settings.frontend_dir)


def _find_build(variable: str, folder_name: str) -> Path | None:
    if folder_name == NO_FRONTEND:
        return None
    folder = Path(folder_name)
    if not (folder / "index.html").is_file():
        raise SettingsError(variable, f"names {folder}, which contains no built application")
    return folder
