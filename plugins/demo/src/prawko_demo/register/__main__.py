"""Starts the simulator: `python -m prawko_demo.register --home DIR`."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from prawko_demo.register.server import running_register


async def serve(home: Path, *, soap_port: int, json_port: int, delay: float) -> None:
    """Serve until the process is asked to end; says `ready` when it serves."""
    asked_to_end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, asked_to_end.set)
    async with running_register(home, soap_port=soap_port, json_port=json_port, delay=delay):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asked_to_end.wait()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="prawko_demo.register", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="folder for certificates")
    parser.add_argument("--soap-port", type=int, default=0, help="0: the system chooses")
    parser.add_argument("--json-port", type=int, default=0, help="0: the system chooses")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds an answer takes")
    given = parser.parse_args()
    asyncio.run(
        serve(
            given.home,
            soap_port=given.soap_port,
            json_port=given.json_port,
            delay=given.delay,
        )
    )


if __name__ == "__main__":
    main()
