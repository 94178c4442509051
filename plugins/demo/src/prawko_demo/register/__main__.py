"""Runs the simulator: `python -m prawko_demo.register --home DIR`."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from prawko_demo.register.server import run_register_simulator


async def serve_simulator(home: Path, *, soap_port: int, json_port: int, delay: float) -> None:
    """Serve until SIGINT or SIGTERM; prints `ready` once it serves."""
    stop_requested = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop_requested.set)
    async with run_register_simulator(home, soap_port=soap_port, json_port=json_port, delay=delay):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await stop_requested.wait()


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="prawko_demo.register", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="folder for certificates")
    parser.add_argument("--soap-port", type=int, default=0, help="0: the system chooses")
    parser.add_argument("--json-port", type=int, default=0, help="0: the system chooses")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each reply")
    arguments = parser.parse_args()
    asyncio.run(
        serve_simulator(
            arguments.home,
            soap_port=arguments.soap_port,
            json_port=arguments.json_port,
            delay=arguments.delay,
        )
    )


if __name__ == "__main__":
    main()
