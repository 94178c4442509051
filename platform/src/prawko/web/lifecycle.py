"""Tasks that run as long as an application serves."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from litestar import Litestar


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
