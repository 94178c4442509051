"""Shares the metrics of a server's child process with its parent, which serves them."""

import asyncio
import os
from functools import partial
from pathlib import Path

from litestar import Litestar

from prawko.base.context import AppContext
from prawko.base.observability import logs
from prawko.base.observability.metrics_server import FOLDER_VARIABLE, SHARE_SECONDS, write_snapshot
from prawko.base.observability.pool_metrics import record_pool_use
from prawko.web.lifecycle import run_while_serving

log = logs.get_logger(__name__)


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
