"""What runs as long as an application serves."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from litestar import Litestar

from prawko.base.context import AppContext
from prawko.incidents.process_watch import ProcessWatch


def run_while_serving(app: Litestar, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine in a task from the application's start until its shutdown cancels it."""
    tasks: list[asyncio.Task[None]] = []

    async def start() -> None:
        tasks.append(asyncio.create_task(work()))

    async def stop() -> None:
        for task in tasks:
            task.cancel()

    app.on_startup.append(start)
    app.on_shutdown.append(stop)


def watch_process(app: Litestar, context: AppContext, role: str) -> None:
    """Watch the loop and the plugins of the process from the application's start to its shutdown.

    A process whose loop stands still is ended: only for one that its supervisor starts again.
    """
    watches: list[ProcessWatch] = []

    async def start() -> None:
        watches.append(ProcessWatch(context, role))
        watches[0].start()

    async def stop() -> None:
        watches[0].stop()

    app.on_startup.append(start)
    app.on_shutdown.append(stop)
