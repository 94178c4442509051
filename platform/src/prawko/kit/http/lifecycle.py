"""What runs as long as an application serves."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Litestar

from prawko.kit.context import AppContext
from prawko.kit.incidents.process_watch import ProcessWatch
from prawko.kit.observability import logs
from prawko.kit.observability.metrics_server import (
    FOLDER_VARIABLE,
    SHARE_SECONDS,
    record_pool_use,
    write_snapshot,
)

log = logs.get_logger(__name__)


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


def share_metrics(app: Litestar, context: AppContext) -> None:
    """Write the counts every second while the application runs, if the parent asked for them."""
    if not (name := os.environ.get(FOLDER_VARIABLE)):
        return
    folder = Path(name)
    run_while_serving(app, partial(_share_until_cancelled, context, folder))

    async def write_last() -> None:
        await asyncio.to_thread(write_snapshot, folder)

    app.on_shutdown.append(write_last)


async def _share_until_cancelled(context: AppContext, folder: Path) -> None:
    while True:
        record_pool_use(context.database)
        try:
            await asyncio.to_thread(write_snapshot, folder)
        except OSError as error:
            log.warning("metrics_not_shared", error=type(error).__name__)
        await asyncio.sleep(SHARE_SECONDS)
