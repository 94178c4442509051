"""The long-running ones: the panel, the worker, and the demo of it all."""

import argparse
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TypeAlias

from prawko.base import settings
from prawko.base.plugins import PluginError

# argparse has no public name for it.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001


def add_commands(commands: Commands) -> None:
    """Add serve, worker and demo."""
    serve = commands.add_parser("serve", help="serve the panel")
    serve.set_defaults(run=run_panel)
    worker = commands.add_parser("worker", help="run the daily check and send what is due")
    worker.set_defaults(run=run_worker)
    demo = commands.add_parser("demo", help="run the whole product with made-up providers")
    demo.set_defaults(run=run_demo)


def run_panel(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Serve until SIGTERM."""
    from prawko.web.panel import built_site  # noqa: PLC0415 (the worker needs no server)
    from prawko.web.serve import serve  # noqa: PLC0415

    read = settings.load(variables)
    built_site(read)  # refused here, before processes are made
    serve("prawko.web.panel:panel", host=read.host, port=read.port, processes=read.panel_processes)
    return 0


def run_worker(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Work until SIGTERM."""
    from prawko.worker.main import run  # noqa: PLC0415 (the panel needs no worker)

    run(variables)
    return 0


def run_demo(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Run the demo, if it is installed."""
    for entry in entry_points(group="prawko-demo", name="demo"):
        run: int = entry.load()(variables)
        return run
    raise PluginError("the demo is not installed (the extra `demo` brings it)")
