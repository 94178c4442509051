"""The worker's process: `python -m prawko_demo.worker`."""

import asyncio
import os
import sys
from pathlib import Path

from prawko.apps.composition_root import create_context
from prawko.apps.worker.main import run_until_terminated
from prawko.hooks.environment import SettingsError
from prawko.kit.providers.registry import PluginError
from prawko.kit.startup_checks import REFUSED, print_error
from prawko_demo.config import PLUGINS, WORKER_READY_FILE, DemoConfig
from prawko_demo.tracebacks import write_tracebacks


async def main() -> None:
    """Work until SIGTERM."""
    config = DemoConfig.load()
    try:
        context = create_context(
            config.worker_variables, extra_plugins=PLUGINS, clock=config.open_clock()
        )
    except (PluginError, SettingsError) as error:
        print_error(error)
        sys.exit(REFUSED)
    write_tracebacks(config.folder)
    # Written when the event loop is first idle: the worker takes jobs and handles SIGTERM by then.
    ready_file = Path(config.folder, WORKER_READY_FILE)
    asyncio.get_running_loop().call_soon(ready_file.write_text, str(os.getpid()))
    await run_until_terminated(context)


if __name__ == "__main__":
    asyncio.run(main())
