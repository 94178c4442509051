"""The worker's process: `python -m prawko_demo.worker`. The product's loop, the demo's clock."""

import asyncio
import os
from pathlib import Path

from prawko.base.start import open_tools
from prawko.worker.main import work
from prawko_demo.stage import PLUGINS, WORKER_MARK, Stage


async def main() -> None:
    """Work until SIGTERM."""
    stage = Stage.here()
    tools = open_tools(stage.worker, extra_plugins=PLUGINS, clock=stage.clock())
    # Runs when the loop is first idle: the worker listens then, and hears SIGTERM.
    mark = Path(stage.folder, WORKER_MARK)
    asyncio.get_running_loop().call_soon(mark.write_text, str(os.getpid()))
    await work(tools)


if __name__ == "__main__":
    asyncio.run(main())
