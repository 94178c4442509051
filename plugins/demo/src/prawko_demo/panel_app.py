"""Builds the product's panel with the developer tools, and the console, as one site."""

import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Litestar

from prawko.apps.composition_root import create_context
from prawko.apps.web.app import create_app
from prawko.apps.web.asgi import find_console
from prawko.apps.web.console_app import create_console_app
from prawko.apps.web.console_site import SiteDispatcher
from prawko.kit.bootstrap import close_context
from prawko.kit.clock import ClockGuard, GuardedClock
from prawko.kit.context import AppContext
from prawko_demo import payments
from prawko_demo.config import MAX_TRIES, PLUGINS, DemoConfig
from prawko_demo.dev_api import create_dev_router
from prawko_demo.dev_api.actions import WorkerActions
from prawko_demo.dev_api.inline_queue import InlineQueue
from prawko_demo.tracebacks import write_tracebacks


class DemoSite(NamedTuple):
    """The site's ASGI application, its panel with its context, and what closes the others."""

    app: SiteDispatcher
    panel: Litestar
    context: AppContext
    close_others: Callable[[], Awaitable[None]]


def create_site(create_app: Callable[..., Litestar] = create_app) -> DemoSite:
    """Return the site of the demo that this process belongs to.

    Unlike the product's panel it has the worker's logins, too, for developer tools that run the
    worker's jobs, and the operators', for the console.
    """
    config = DemoConfig.load()
    clock, guard = config.open_clock(), ClockGuard()

    def open_context(variables: Mapping[str, str], **options: Any) -> AppContext:
        """Create a context; those of this process trust its clock together."""
        context = create_context(
            variables, extra_plugins=PLUGINS, clock=GuardedClock(clock, guard), **options
        )
        return dataclasses.replace(context, clock_guard=guard)

    context = open_context(config.panel_variables, max_tries=MAX_TRIES)
    queue = InlineQueue()
    # Without the schedule: this process runs jobs only when the developer tools ask for it.
    worker_variables = {**config.worker_variables, "TIMETABLE": "false"}
    worker = open_context(worker_variables, queue=queue)
    console = open_context(config.console_variables, reads_all_companies=True)
    write_tracebacks(config.folder)
    dev_router = create_dev_router(
        config, clock, WorkerActions(worker, queue), payments.find_sandbox(context)
    )
    panel = create_app(
        context, frontend_dir=Path(context.settings.frontend_dir), extra_handlers=[dev_router]
    )
    console_app = create_console_app(console, console_dir=find_console(console.settings))

    async def close_others() -> None:
        worker.shutdown.set()
        for opened in (console, worker):
            await close_context(opened)

    return DemoSite(SiteDispatcher(panel, console_app), panel, context, close_others)
