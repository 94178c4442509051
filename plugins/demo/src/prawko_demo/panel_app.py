"""Builds the product's panel with the developer tools."""

from collections.abc import Callable
from pathlib import Path

from litestar import Litestar

from prawko.base.bootstrap import close_context, create_context
from prawko.web.app import create_app
from prawko_demo import payments
from prawko_demo.config import PLUGINS, DemoConfig
from prawko_demo.dev_api import create_dev_router
from prawko_demo.dev_api.actions import WorkerActions
from prawko_demo.dev_api.inline_queue import InlineQueue


def create_panel(create_app: Callable[..., Litestar] = create_app) -> Litestar:
    """Return the panel of the demo that this process belongs to.

    Unlike the product's panel it has the worker's logins, too, for developer tools that run the
    worker's jobs.
    """
    config = DemoConfig.load()
    clock = config.open_clock()
    context = create_context(config.panel_variables, extra_plugins=PLUGINS, clock=clock)
    queue = InlineQueue()
    # Without the schedule: this process runs jobs only when the developer tools ask for it.
    worker_variables = {**config.worker_variables, "TIMETABLE": "false"}
    worker = create_context(worker_variables, extra_plugins=PLUGINS, clock=clock, queue=queue)
    dev_router = create_dev_router(
        config, clock, WorkerActions(worker, queue), payments.find_sandbox(context)
    )
    app = create_app(
        context, frontend_dir=Path(context.settings.frontend_dir), extra_handlers=[dev_router]
    )

    async def close() -> None:
        worker.shutdown.set()
        await close_context(worker)
        await close_context(context)

    app.on_shutdown.append(close)
    return app
